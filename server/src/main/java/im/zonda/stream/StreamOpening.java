package im.zonda.stream;

import im.zonda.jid.Jid;
import org.jspecify.annotations.Nullable;

/// What the server says in its stream header (RFC 6120, section 4.7).
///
/// @param from the virtual host; null if the client asked for one that is not here
/// @param to the client's own address as it gave it, or null
/// @param id the stream's identifier, which nobody can guess
/// @param lang the language of the stream, or null
public record StreamOpening(
    @Nullable Jid from, @Nullable Jid to, String id, @Nullable String lang) {}
