package im.zonda.account.provider;

import java.time.Duration;

/// One step of a login that an administrator tries.
///
/// @param name what was done, such as `connect`, `tls`, `bind`, `search`
/// @param ok whether it worked
/// @param took how long it took
/// @param text what came of it, in words, without secrets
public record TestStep(String name, boolean ok, Duration took, String text) {}
