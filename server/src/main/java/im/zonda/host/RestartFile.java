package im.zonda.host;

import im.zonda.module.SavedState;
import im.zonda.stanza.StanzaFormatException;
import im.zonda.xml.XmlException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file that a clean stop of the server writes and its next start reads and deletes, so that its
/// content is never out of date. Readable by the server's user only.
///
/// For data that the server can do without: a failure is logged and no more. An entry that cannot
/// be written or read costs itself alone; a file that is damaged is discarded.
///
/// @param <T> an entry
final class RestartFile<T> {
  private static final Logger LOG = LoggerFactory.getLogger(RestartFile.class);
  private static final int MAX_BYTES = 1 << 26;

  /// The first number of a file in which each entry has its length before it, and [#END] follows
  /// the last one. The version of the form comes next.
  private static final int LAYOUT = 0x5a46_0001;

  private static final int END = -1;

  private final Path file;
  private final SavedState.Codec<T> form;
  private final String name;

  /// @param form how entries are written; its name is the word for them in events of the log
  RestartFile(Path file, SavedState.Codec<T> form) {
    this.file = file;
    this.form = form;
    this.name = form.name();
  }

  /// Writes the entries; no file if there are none. One that cannot be written is left out. Blocks.
  void write(List<T> entries) {
    if (entries.isEmpty()) {
      return;
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Failures left = new Failures();
    try {
      create(fresh);
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        CRC32C crc = new CRC32C();
        DataOutputStream out =
            new DataOutputStream(
                new CheckedOutputStream(
                    new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16), crc));
        out.writeInt(LAYOUT);
        out.writeInt(form.version());
        for (T entry : entries) {
          byte[] bytes = bytes(entry, left);
          if (bytes != null) {
            out.writeInt(bytes.length);
            out.write(bytes);
          }
        }
        out.writeInt(END);
        out.writeLong(crc.getValue());
        out.flush();
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      LOG.atInfo().addKeyValue(name, entries.size() - left.count).log(name + "_saved");
      left.log(name + "_not_all_saved");
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("file", file).setCause(e).log(name + "_not_saved");
    }
  }

  private byte @Nullable [] bytes(T entry, Failures left) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1_024);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      form.write(entry, out);
    } catch (IOException | RuntimeException e) {
      left.add(e);
      return null;
    }
    if (bytes.size() > MAX_BYTES) {
      left.add(new IOException("an entry of " + bytes.size() + " bytes"));
      return null;
    }
    return bytes.toByteArray();
  }

  /// Entries that could not be written or read. The first cause is logged, and how many there are.
  private final class Failures {
    private int count;
    private @Nullable Exception first;

    void add(Exception cause) {
      count++;
      first = first == null ? cause : first;
    }

    void log(String event) {
      if (count > 0) {
        LOG.atError().addKeyValue("file", file).addKeyValue(name, count).setCause(first).log(event);
      }
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
      Failures left = new Failures();
      List<T> entries = read(left);
      Files.delete(file);
      LOG.atInfo().addKeyValue(name, entries.size()).log(name + "_restored");
      left.log(name + "_not_all_restored");
      return entries;
    } catch (IOException | RuntimeException | XmlException | StanzaFormatException e) {
      LOG.atWarn().addKeyValue("file", file).setCause(e).log(name + "_not_restored");
      discard();
      return List.of();
    }
  }

  private void discard() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.atWarn().addKeyValue("file", file).setCause(e).log(name + "_not_discarded");
    }
  }

  private List<T> read(Failures left) throws IOException, XmlException, StanzaFormatException {
    CRC32C crc = new CRC32C();
    try (DataInputStream in =
        new DataInputStream(
            new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file)), crc))) {
      int first = in.readInt();
      int version = first == LAYOUT ? in.readInt() : first;
      if (version != form.version()) {
        throw new IOException("not a file of " + name + ", or of another version");
      }
      List<T> entries = first == LAYOUT ? entries(in, left) : former(in);
      long expected = crc.getValue();
      if (in.readLong() != expected) {
        throw new IOException("the checksum does not match");
      }
      return entries;
    }
  }

  private List<T> entries(DataInputStream in, Failures left) throws IOException {
    List<T> entries = new ArrayList<>();
    for (int length = in.readInt(); length != END; length = in.readInt()) {
      if (length < 0 || length > MAX_BYTES) {
        throw new IOException("an entry of " + length + " bytes");
      }
      byte[] entry = in.readNBytes(length);
      if (entry.length < length) {
        throw new EOFException();
      }
      try {
        entries.add(form.read(new DataInputStream(new ByteArrayInputStream(entry))));
      } catch (IOException | RuntimeException | XmlException | StanzaFormatException e) {
        left.add(e);
      }
    }
    return entries;
  }

  /// Reads the entries of a file in which they have no lengths, as the server wrote it before.
  private List<T> former(DataInputStream in)
      throws IOException, XmlException, StanzaFormatException {
    List<T> entries = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      entries.add(form.read(in));
    }
    return entries;
  }
}
