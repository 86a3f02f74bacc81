package im.zonda.stream;

import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// What the server says in its stream header (RFC 6120, section 4.7).
///
/// @param from the virtual host; null if the client asked for one that is not here
/// @param to the bare address that the client gave, or null
/// @param id the stream's identifier, which nobody can guess
/// @param lang the language of what the server writes
public record StreamOpening(@Nullable Jid from, @Nullable Jid to, String id, String lang) {}
