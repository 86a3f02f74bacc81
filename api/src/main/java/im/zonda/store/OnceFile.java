package im.zonda.store;

import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.XmlException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
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

/// A file between a clean stop of the server and its next start. It is written as a whole, read
/// once and gone then, so that what it says can never be too old. Nobody else may read it.
///
/// It is for what can be done without: a failure is logged and no more.
///
/// @param <T> an entry
public final class OnceFile<T> {
  private static final Logger log = LoggerFactory.getLogger(OnceFile.class);
  private static final int MOST_BYTES = 1 << 26;

  /// How an entry is written and read.
  ///
  /// @param <T> an entry
  public interface Form<T> {
    /// Writes an entry.
    void write(T entry, DataOutputStream out) throws IOException;

    /// Reads what [#write] wrote; whatever it throws means that the file cannot be read.
    T read(DataInputStream in) throws IOException, XmlException, StanzaFormatException;
  }

  private final Path file;
  private final String what;
  private final int format;
  private final Form<T> form;

  /// @param what the entries, as a word in the log's events
  /// @param format a number that stands for the form and its version
  public OnceFile(Path file, String what, int format, Form<T> form) {
    this.file = file;
    this.what = what;
    this.format = format;
    this.form = form;
  }

  /// Writes the entries; no file if there are none. Blocks.
  public void write(List<T> entries) {
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
        out.writeInt(format);
        out.writeInt(entries.size());
        for (T entry : entries) {
          form.write(entry, out);
        }
        out.writeLong(crc.getValue());
        out.flush();
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      log.atInfo().addKeyValue(what, entries.size()).log(what + "_saved");
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log(what + "_not_saved");
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

  /// Takes what was written last; empty if there is nothing or it cannot be read. The file is gone
  /// then. Blocks.
  public List<T> take() {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      List<T> entries = read();
      Files.delete(file);
      log.atInfo().addKeyValue(what, entries.size()).log(what + "_restored");
      return entries;
    } catch (IOException | RuntimeException | XmlException | StanzaFormatException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log(what + "_not_restored");
      discard();
      return List.of();
    }
  }

  private void discard() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log(what + "_not_discarded");
    }
  }

  private List<T> read() throws IOException, XmlException, StanzaFormatException {
    CRC32C crc = new CRC32C();
    try (DataInputStream in =
        new DataInputStream(
            new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file)), crc))) {
      if (in.readInt() != format) {
        throw new IOException("not a file of " + what + ", or of another version");
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
  public static void writeText(byte[] utf8, DataOutputStream out) throws IOException {
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  /// Reads a text that [#writeText] wrote.
  public static String readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("an impossible length");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("the file ends too early");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
