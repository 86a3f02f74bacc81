package im.zonda.trace.recording;

import im.zonda.jid.Jid;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Messages that are traced: those of an address, a domain or a network, or one in `oneIn`.
///
/// @param name names it
/// @param address a bare address of an account or a room, or null
/// @param domain a domain, or null
/// @param network an address or network of clients, such as `192.0.2.0/24`, or null
/// @param oneIn of how many messages one is traced; 0 for none
/// @param since when it has begun
/// @param until when it ends
/// @param by the administrator who has started the trace
public record Choice(
    String name,
    @Nullable Jid address,
    @Nullable String domain,
    @Nullable String network,
    int oneIn,
    Instant since,
    Instant until,
    String by) {
  /// Whether it is in force.
  public boolean holds(Instant now) {
    return now.isBefore(until);
  }
}
