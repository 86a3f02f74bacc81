package im.zonda.module.upload;

import im.zonda.jid.Jid;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A slot: the permission to upload one file (XEP-0363, section 4).
///
/// @param id its identifier, which cannot be guessed
/// @param owner the account that has asked for it
/// @param name the name of the file
/// @param size in bytes
/// @param type the media type; null if none was given
/// @param valid until when the upload may begin
/// @param expires when the file must no longer be available, or null (section 5.3)
record Slot(
    String id,
    Jid owner,
    String name,
    long size,
    @Nullable String type,
    Instant valid,
    @Nullable Instant expires) {}
