package im.zonda.app.control;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.ScramKeys;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binary form of requests and answers on the control socket: a 4-byte length and that many bytes.
/// The first byte of a request is the [Operation]; that of an answer is [#DONE], or [#FAILED] or
/// [#WRONG] followed by the error text.
final class Frames {
  /// Maximum number of bytes of one frame.
  static final int MAX_FRAME = 1 << 20;

  /// Maximum number of accounts in one request or answer.
  static final int MAX_ACCOUNTS = 500;

  /// The request has been carried out.
  static final int DONE = 0;

  /// The request could not be carried out.
  static final int FAILED = 1;

  /// The arguments of a command are wrong.
  static final int WRONG = 2;

  /// Maximum number of arguments of a command.
  static final int MAX_ARGUMENTS = 64;

  private static final int MAX_ERROR = 1_000;
  private static final int MAX_KEYS = 8;
  private static final int MAX_KEY_BYTES = 256;

  /// The operations: the methods of [im.zonda.store.AccountStore], and a [ControlCommand].
  enum Operation {
    FIND('f'),
    CREATE('c'),
    CHANGE_KEYS('k'),
    REMOVE('r'),
    LIST('l'),
    COUNT('n'),
    COMMAND('x');

    private final char code;

    Operation(char code) {
      this.code = code;
    }

    /// The byte on the socket.
    int code() {
      return code;
    }

    /// The operation for a byte, or null.
    static @Nullable Operation of(int code) {
      for (Operation operation : values()) {
        if (operation.code == code) {
          return operation;
        }
      }
      return null;
    }
  }

  /// Writes the content of a frame.
  @FunctionalInterface
  interface Content {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private Frames() {}

  /// A frame with that content.
  static byte[] frame(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      content.writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen in memory
    }
    return bytes.toByteArray();
  }

  /// An answer for a request that has been carried out.
  static byte[] done(Content content) {
    byte[] frame =
        frame(out -> {
          out.writeByte(DONE);
          content.writeTo(out);
        });
    return frame.length <= MAX_FRAME ? frame : refusal(FAILED, "the answer is too long");
  }

  /// An answer for a request that has not been carried out.
  ///
  /// @param status [#FAILED] or [#WRONG]
  static byte[] refusal(int status, String message) {
    return frame(out -> {
      out.writeByte(status);
      out.writeUTF(message.substring(0, Math.min(message.length(), MAX_ERROR)));
    });
  }

  /// Sends a frame.
  static void send(SocketChannel channel, byte[] frame) throws IOException {
    if (frame.length > MAX_FRAME) {
      throw new IOException("a frame of " + frame.length + " bytes is too long");
    }
    ByteBuffer buffer = ByteBuffer.allocate(4 + frame.length);
    buffer.putInt(frame.length).put(frame).flip();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /// Receives a frame; null at the end of the connection.
  static @Nullable DataInputStream receive(SocketChannel channel) throws IOException {
    ByteBuffer length = ByteBuffer.allocate(4);
    if (!fill(channel, length)) {
      return null;
    }
    int size = length.flip().getInt();
    if (size < 1 || size > MAX_FRAME) {
      throw new IOException("a frame of " + size + " bytes");
    }
    ByteBuffer frame = ByteBuffer.allocate(size);
    if (!fill(channel, frame)) {
      throw new IOException("the connection ended within a frame");
    }
    return new DataInputStream(new ByteArrayInputStream(frame.array()));
  }

  private static boolean fill(SocketChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        return false;
      }
    }
    return true;
  }

  static void writeAccounts(DataOutputStream out, List<Account> accounts) throws IOException {
    out.writeShort(accounts.size());
    for (Account account : accounts) {
      out.writeUTF(account.jid().toString());
      out.writeLong(account.created().toEpochMilli());
      writeKeys(out, account.keys());
    }
  }

  static List<Account> readAccounts(DataInputStream in) throws IOException {
    int count = count(in.readUnsignedShort(), MAX_ACCOUNTS);
    List<Account> accounts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Jid jid = Jid.stored(in.readUTF());
      Instant created = Instant.ofEpochMilli(in.readLong());
      accounts.add(new Account(jid, readKeys(in), created));
    }
    return accounts;
  }

  static void writeKeys(DataOutputStream out, List<ScramKeys> keys) throws IOException {
    out.writeByte(keys.size());
    for (ScramKeys key : keys) {
      out.writeUTF(key.hash());
      out.writeInt(key.iterations());
      writeBytes(out, key.salt());
      writeBytes(out, key.storedKey());
      writeBytes(out, key.serverKey());
    }
  }

  static List<ScramKeys> readKeys(DataInputStream in) throws IOException {
    int count = count(in.readUnsignedByte(), MAX_KEYS);
    List<ScramKeys> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String hash = in.readUTF();
      int iterations = in.readInt();
      keys.add(new ScramKeys(hash, readBytes(in), iterations, readBytes(in), readBytes(in)));
    }
    return keys;
  }

  static void writeJids(DataOutputStream out, List<Jid> jids) throws IOException {
    out.writeShort(jids.size());
    for (Jid jid : jids) {
      out.writeUTF(jid.toString());
    }
  }

  static List<Jid> readJids(DataInputStream in) throws IOException {
    int count = count(in.readUnsignedShort(), MAX_ACCOUNTS);
    List<Jid> jids = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      jids.add(Jid.stored(in.readUTF()));
    }
    return jids;
  }

  /// Writes the arguments of a command.
  static void writeWords(DataOutputStream out, List<String> words) throws IOException {
    out.writeByte(count(words.size(), MAX_ARGUMENTS));
    for (String word : words) {
      out.writeUTF(word);
    }
  }

  static List<String> readWords(DataInputStream in) throws IOException {
    int count = count(in.readUnsignedByte(), MAX_ARGUMENTS);
    List<String> words = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      words.add(in.readUTF());
    }
    return words;
  }

  /// Writes a text that may be longer than 65,535 bytes.
  static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static String readText(DataInputStream in) throws IOException {
    byte[] bytes = new byte[count(in.readInt(), MAX_FRAME)];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[count(in.readUnsignedShort(), MAX_KEY_BYTES)];
    in.readFully(bytes);
    return bytes;
  }

  private static int count(int count, int max) throws IOException {
    if (count < 0 || count > max) {
      throw new IOException("more than " + max + " in one frame: " + count);
    }
    return count;
  }
}
