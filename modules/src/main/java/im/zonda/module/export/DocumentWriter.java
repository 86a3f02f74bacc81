package im.zonda.module.export;

import im.zonda.directory.AccountExport.Sink;
import im.zonda.xml.ByteArraySink;
import im.zonda.xml.Element;
import im.zonda.xml.XmlWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/// Writes a large XML document: its outer elements part by part, others whole. Keeps one part in
/// memory.
final class DocumentWriter {
  /// What is collected before it is written; the element that exceeds it belongs to the part.
  private static final int PART_BYTES = 32_768;

  private final Sink sink;
  private final ByteArraySink part = new ByteArraySink(PART_BYTES);
  private final Deque<Open> open = new ArrayDeque<>();

  /// An outer element that has not ended.
  private record Open(String name, String namespace) {}

  DocumentWriter(Sink sink) {
    this.sink = sink;
    put("<?xml version='1.0' encoding='UTF-8'?>\n");
  }

  /// Begins an outer element.
  ///
  /// @param attribute the name of its only attribute, or an empty text for none
  void begin(String name, String namespace, String attribute, String value) {
    put("<" + name);
    if (open.isEmpty() || !open.getLast().namespace.equals(namespace)) {
      put(" xmlns=");
      XmlWriter.writeValue(namespace, part);
    }
    if (!attribute.isEmpty()) {
      put(" " + attribute + "=");
      XmlWriter.writeValue(value, part);
    }
    put(">\n");
    open.addLast(new Open(name, namespace));
  }

  /// Begins an outer element without attributes.
  void begin(String name, String namespace) {
    begin(name, namespace, "", "");
  }

  /// Writes an element.
  ///
  /// @throws IOException if the sink does not take it
  void write(Element element) throws IOException {
    XmlWriter.write(element, open.getLast().namespace, part);
    put("\n");
    if (part.size() >= PART_BYTES) {
      flush();
    }
  }

  /// Ends the outer element that was begun last.
  void end() {
    put("</" + open.removeLast().name + ">\n");
  }

  /// Has the sink take what was written.
  ///
  /// @throws IOException if it does not
  void flush() throws IOException {
    byte[] bytes = part.toByteArray();
    part.clear();
    sink.write(bytes, 0, bytes.length);
  }

  private void put(String text) {
    part.put(text.getBytes(StandardCharsets.UTF_8));
  }
}
