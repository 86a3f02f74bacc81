package planted.jid.knot;

import org.jspecify.annotations.Nullable;

/// Depends on [First], which depends on it.
public record Second(@Nullable First first) {}
