import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";

/**
 * Plugin that adds `auth.api.signInProven` to the library: it creates a session for a verified e-mail
 * address. It has no route.
 */
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
              // Of two concurrent first sign-ins, the second finds the user that the first has created.
              const existing = await find();
              if (existing === null) throw error;
              return existing;
            }));
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ token: session.token, user });
      },
    ),
  },
};
