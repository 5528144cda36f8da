/** The first key of RFC 8032, section 7.1: PKCS #8 in DER, as base64url. Its public key is published. */
export const TEST_SIGNING_KEY = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v_VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g";

export const TEST_PUBLIC_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
