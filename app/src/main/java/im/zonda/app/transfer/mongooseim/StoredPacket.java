package im.zonda.app.transfer.mongooseim;

import im.zonda.app.transfer.BadRecordException;
import im.zonda.app.transfer.StoredXml;
import im.zonda.app.transfer.erlang.ExternalTerm;
import im.zonda.app.transfer.erlang.XmlTerm;
import im.zonda.xml.Element;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Stanzas as MongooseIM stores them, by its setting `db_message_format`: XML, or terms of Erlang,
/// which may be compressed.
final class StoredPacket {
  private StoredPacket() {}

  /// Reads a stanza.
  ///
  /// @throws BadRecordException if the bytes are none
  static Element read(byte @Nullable [] bytes) throws BadRecordException {
    if (bytes == null) {
      throw new BadRecordException("no message");
    }
    if (ExternalTerm.isOne(bytes)) {
      return XmlTerm.read(ExternalTerm.read(bytes));
    }
    try {
      return StoredXml.read(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw new BadRecordException("neither XML nor a term of Erlang");
    }
  }
}
