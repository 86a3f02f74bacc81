package im.zonda.module;

import org.jspecify.annotations.Nullable;

/// An identity for service discovery (XEP-0030, section 3.1).
///
/// @param category the category, such as `server`
/// @param type the type within the category, such as `im`
/// @param name a human-readable name, or null
public record DiscoIdentity(String category, String type, @Nullable String name) {}
