package im.zonda.route;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Envelope;
import im.zonda.module.Origin;
import im.zonda.stanza.Namespaces;
import im.zonda.stanza.Stanza;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.XmlException;
import im.zonda.xml.framing.XmlParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The binary form of envelopes, for another node.
///
/// One byte of version; the author, and the session of the origin, as text of two bytes of length,
/// empty if there is none; eight bytes of the origin's number; four of the stanza's length, and the
/// stanza as it is on a client's stream. Nothing may follow. An origin is written as what
/// identifies it; who reads it says which object that is ([Origins]).
///
/// An envelope for several sessions has version 2: before the stanza's length it has two bytes with
/// the number of the other sessions, at least one, and their addresses as text.
public final class EnvelopeCodec {
  private static final int VERSION = 1;
  private static final int VERSION_OF_SEVERAL = 2;

  private final int stanzaBytes;

  /// @param stanzaBytes the longest stanza that is read, in bytes
  public EnvelopeCodec(int stanzaBytes) {
    this.stanzaBytes = stanzaBytes;
  }

  /// Finds the origin of a stanza that came as bytes.
  @FunctionalInterface
  public interface Origins {
    /// The origin of that number at that session.
    Origin find(Jid session, long number);
  }

  /// Writes an envelope.
  public byte[] write(Envelope envelope) {
    Stanza stanza = envelope.stanza();
    ByteArraySink xml = new ByteArraySink(stanza.writtenSize() + 16);
    stanza.writeTo(xml);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(xml.size() + 128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      List<Jid> others = envelope.others();
      out.writeByte(others.isEmpty() ? VERSION : VERSION_OF_SEVERAL);
      out.writeUTF(text(envelope.author()));
      out.writeUTF(text(envelope.origin().session()));
      out.writeLong(envelope.origin().number());
      if (!others.isEmpty()) {
        out.writeShort(others.size());
        for (Jid other : others) {
          out.writeUTF(other.toString());
        }
      }
      out.writeInt(xml.size());
      out.write(xml.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  private static String text(@Nullable Jid jid) {
    return jid == null ? "" : jid.toString();
  }

  /// Reads an envelope.
  ///
  /// @throws EnvelopeFormatException if the bytes are of another version, too long, or no envelope
  public Envelope read(byte[] bytes, Origins origins) throws EnvelopeFormatException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = checkVersion(in, VERSION_OF_SEVERAL);
      Jid author = jid(in.readUTF());
      Jid session = jid(in.readUTF());
      long number = in.readLong();
      List<Jid> others = version == VERSION ? List.of() : others(in);
      Stanza stanza = stanza(in);
      Origin origin = session == null ? Origin.NONE : origins.find(session, number);
      return new Envelope(stanza, origin, author, null, others);
    } catch (IOException | JidFormatException | XmlException | StanzaFormatException e) {
      throw new EnvelopeFormatException("not an envelope: " + e.getMessage(), e);
    }
  }

  private static int checkVersion(DataInputStream in, int last)
      throws IOException, EnvelopeFormatException {
    int version = in.readUnsignedByte();
    if (version < VERSION || version > last) {
      throw new EnvelopeFormatException("an envelope of version " + version + " cannot be read");
    }
    return version;
  }

  private static List<Jid> others(DataInputStream in) throws IOException, EnvelopeFormatException {
    int count = in.readUnsignedShort();
    if (count == 0) {
      throw new EnvelopeFormatException("an envelope for several sessions has one");
    }
    List<Jid> others = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      others.add(Jid.stored(in.readUTF()));
    }
    return others;
  }

  private static @Nullable Jid jid(String text) {
    return text.isEmpty() ? null : Jid.stored(text);
  }

  private Stanza stanza(DataInputStream in)
      throws IOException, XmlException, StanzaFormatException, EnvelopeFormatException {
    int length = in.readInt();
    if (length < 0 || length > stanzaBytes) {
      throw new EnvelopeFormatException(
          "a stanza of " + length + " bytes; at most " + stanzaBytes + " are allowed");
    }
    if (length != in.available()) {
      throw new EnvelopeFormatException(
          "a stanza of " + length + " bytes, of which " + in.available() + " are there");
    }
    String xml = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return Stanza.reread(XmlParser.frame(xml, Namespaces.CLIENT));
  }
}
