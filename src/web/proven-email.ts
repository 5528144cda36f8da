import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";

/** Adds `auth.api.signInProven` to the library: a session for an address whose owner has proven that it is theirs. It has no route. */
export const provenEmail = {
  id: "proven-email",
  endpoints: {
    signInProven: createAuthEndpoint.serverOnly(
      { method: "POST", body: z.object({ email: z.string() }), requireHeaders: true },
      async (ctx) => {
        const { email } = ctx.body;
        const { internalAdapter } = ctx.context;
        const find = async () => (await internalAdapter.findUserByEmail(email))?.user ?? null;
        const user =
          (await find()) ??
          (await internalAdapter
            .createUser({ email, emailVerified: true, name: "" }, { method: "email-otp" })
            .catch(async (error: unknown) => {
              // Of two first sign-ins at once the second finds what the first has made.
              const made = await find();
              if (made === null) throw error;
              return made;
            }));
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ token: session.token, user });
      },
    ),
  },
};
