package im.zonda.router;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What the client is told of its managed stream (XEP-0198, section 3).
///
/// @param id by what the session can be resumed; null if it cannot
/// @param max how long the session waits for a new stream
public record Managed(@Nullable String id, Duration max) {}
