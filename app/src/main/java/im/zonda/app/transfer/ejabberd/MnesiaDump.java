package im.zonda.app.transfer.ejabberd;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// A file that `ejabberdctl dump` has written: terms in text, each with a full stop, of which the
/// first has the names of the tables and their columns. Records of a table may be in any order.
///
/// Not safe for use by several threads.
final class MnesiaDump implements AutoCloseable {
  private static final byte[] BEGIN = "{tables,".getBytes(StandardCharsets.US_ASCII);
  private static final int BUFFER = 1 << 16;

  /// The size of the beginning of each record that a scan passes on.
  static final int HEAD_BYTES = 1 << 14;

  private final Path file;
  private final FileChannel channel;

  /// Opens a file.
  MnesiaDump(Path file) throws IOException {
    this.file = file.toRealPath();
    this.channel = FileChannel.open(this.file);
  }

  /// Whether a file is one.
  static boolean recognises(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream input = Files.newInputStream(file)) {
      return Arrays.equals(input.readNBytes(BEGIN.length), BEGIN);
    }
  }

  /// The file.
  Path file() {
    return file;
  }

  /// Takes records as they are in the file.
  interface Records {
    /// Takes a record.
    ///
    /// @param head its beginning, or the whole of it
    void record(long offset, long length, String head) throws IOException;
  }

  /// Reads the whole file, in bounded memory.
  ///
  /// @throws IOException also if the end of the file is missing
  void scan(Records records) throws IOException {
    try (InputStream input = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
      Scan scan = new Scan(records);
      for (int c = input.read(); c >= 0; c = input.read()) {
        scan.take(c);
      }
      scan.end(file);
    }
  }

  /// Finds the ends of records: a full stop before white space that is not in quotes.
  private static final class Scan {
    private final Records records;
    private final byte[] head = new byte[HEAD_BYTES];
    private long at;
    private long begin = -1;
    private int quote;
    private boolean escaped;
    private boolean stop;

    Scan(Records records) {
      this.records = records;
    }

    void take(int c) throws IOException {
      boolean space = c == '\n' || c == ' ' || c == '\r' || c == '\t';
      if (stop && space) {
        pass();
      } else if (begin >= 0 || !space) {
        inRecord(c);
      }
      at++;
    }

    private void inRecord(int c) {
      if (begin < 0) {
        begin = at;
      }
      long index = at - begin;
      if (index < HEAD_BYTES) {
        head[(int) index] = (byte) c;
      }
      stop = quote == 0 && c == '.';
      if (quote == 0) {
        quote = c == '"' || c == '\'' ? c : 0;
      } else if (escaped) {
        escaped = false;
      } else if (c == '\\') {
        escaped = true;
      } else if (c == quote) {
        quote = 0;
      }
    }

    private void pass() throws IOException {
      long length = at - begin;
      records.record(
          begin,
          length,
          new String(head, 0, (int) Math.min(HEAD_BYTES, length), StandardCharsets.ISO_8859_1));
      begin = -1;
      stop = false;
    }

    void end(Path file) throws IOException {
      if (stop) {
        pass();
      } else if (begin >= 0) {
        throw new IOException(
            file
                + " ends within the record that begins at byte "
                + (begin + 1)
                + "; write the dump again");
      }
    }
  }

  /// The text of a record, in which each character is a byte.
  String text(long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, offset + bytes.position()) < 0) {
        throw new EOFException(file + " has become shorter while it was read");
      }
    }
    return new String(bytes.array(), StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
