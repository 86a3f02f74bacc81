package im.zonda.stream;

import im.zonda.jid.Jid;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The stream header that this server sends (RFC 6120, section 4.7).
///
/// @param namespace the content namespace, such as `jabber:client`
/// @param from this server's domain; null if the peer asked for one that is not served
/// @param to the peer's address, or null
/// @param id the stream identifier, which cannot be guessed; null from the initiating entity
/// @param lang the language of what this server writes
/// @param versioned whether the header says `version='1.0'`
/// @param prefixes more namespace declarations, by prefix
public record StreamOpening(
    String namespace,
    @Nullable Jid from,
    @Nullable Jid to,
    @Nullable String id,
    String lang,
    boolean versioned,
    Map<String, String> prefixes) {
  /// Copies the map.
  public StreamOpening {
    prefixes = Map.copyOf(prefixes);
  }
}
