package planted.jid.knot;

import org.jspecify.annotations.Nullable;

/// Depends on [Second], which depends on it.
public record First(@Nullable Second second) {}
