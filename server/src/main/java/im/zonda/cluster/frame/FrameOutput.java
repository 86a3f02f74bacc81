package im.zonda.cluster.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import im.zonda.cluster.Member;
import im.zonda.cluster.placement.Stamp;
import im.zonda.xml.ByteArraySink;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes fields. Numbers are unsigned LEB128, texts and stanzas are bytes behind their length,
/// what may be absent comes behind a byte that is 0 or 1, a collection comes behind its size.
final class FrameOutput {
  private final ByteArraySink sink;

  FrameOutput(int capacity) {
    sink = new ByteArraySink(capacity);
  }

  int size() {
    return sink.size();
  }

  byte[] toByteArray() {
    return sink.toByteArray();
  }

  void octet(int value) {
    sink.put(value);
  }

  void number(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      sink.put((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    sink.put((int) rest);
  }

  void flag(boolean value) {
    sink.put(value ? 1 : 0);
  }

  void text(String value) {
    bytes(value.getBytes(UTF_8));
  }

  void bytes(byte[] value) {
    number(value.length);
    sink.put(value, 0, value.length);
  }

  /// What `other` has written, behind its length.
  void nested(FrameOutput other) {
    bytes(other.toByteArray());
  }

  void member(Member member) {
    text(member.name());
    number(member.incarnation());
  }

  void stamp(Stamp stamp) {
    number(stamp.epoch());
    number(stamp.topology());
  }

  <T> void optional(@Nullable T value, Consumer<T> writer) {
    flag(value != null);
    if (value != null) {
      writer.accept(value);
    }
  }

  <T> void all(Collection<T> values, Consumer<T> writer) {
    number(values.size());
    values.forEach(writer);
  }

  void stanza(RoutedStanza stanza) {
    text(stanza.origin().source());
    number(stanza.origin().number());
    flag(stanza.stored());
    bytes(stanza.bytes().array());
  }
}
