package im.zonda.host;

import im.zonda.module.SavedState;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.XmlException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file that a clean stop of the server writes and its next start reads and deletes, so that its
/// content is never out of date. Readable by the server's user only.
///
/// For data that the server can do without: a failure is logged and no more.
///
/// @param <T> an entry
final class RestartFile<T> {
  private static final Logger log = LoggerFactory.getLogger(RestartFile.class);
  private static final int MAX_TEXT_BYTES = 1 << 26;

  private final Path file;
  private final SavedState.Form<T> form;
  private final String name;

  /// @param form how entries are written; its name is the word for them in events of the log
  RestartFile(Path file, SavedState.Form<T> form) {
    this.file = file;
    this.form = form;
    this.name = form.name();
  }

  /// Writes the entries; no file if there are none. Blocks.
  void write(List<T> entries) {
    if (entries.isEmpty()) {
      return;
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      create(fresh);
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        CRC32C crc = new CRC32C();
        DataOutputStream out =
            new DataOutputStream(
                new CheckedOutputStream(
                    new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16), crc));
        out.writeInt(form.version());
        out.writeInt(entries.size());
        for (T entry : entries) {
          form.write(entry, out);
        }
        out.writeLong(crc.getValue());
        out.flush();
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      log.atInfo().addKeyValue(name, entries.size()).log(name + "_saved");
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log(name + "_not_saved");
    }
  }

  private static void create(Path fresh) throws IOException {
    Files.deleteIfExists(fresh);
    if (Files.getFileStore(fresh.toAbsolutePath().getParent()).supportsFileAttributeView("posix")) {
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(fresh);
    }
  }

  /// Reads the entries and deletes the file. Empty if there is no file or it cannot be read.
  /// Blocks.
  List<T> take() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      List<T> entries = read();
      Files.delete(file);
      log.atInfo().addKeyValue(name, entries.size()).log(name + "_restored");
      return entries;
    } catch (IOException | RuntimeException | XmlException | StanzaFormatException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log(name + "_not_restored");
      discard();
      return List.of();
    }
  }

  private void discard() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log(name + "_not_discarded");
    }
  }

  private List<T> read() throws IOException, XmlException, StanzaFormatException {
    CRC32C crc = new CRC32C();
    try (DataInputStream in =
        new DataInputStream(
            new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file)), crc))) {
      if (in.readInt() != form.version()) {
        throw new IOException("not a file of " + name + ", or of another version");
      }
      List<T> entries = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        entries.add(form.read(in));
      }
      long expected = crc.getValue();
      if (in.readLong() != expected) {
        throw new IOException("the checksum does not match");
      }
      return entries;
    }
  }

  /// Writes a text of any length, given as UTF-8.
  static void writeText(byte[] utf8, DataOutput out) throws IOException {
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  /// Reads a text that [#writeText] wrote.
  static String readText(DataInput in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_TEXT_BYTES) {
      throw new IOException("a text of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
