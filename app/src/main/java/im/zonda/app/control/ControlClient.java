package im.zonda.app.control;

import im.zonda.jid.Jid;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import im.zonda.store.ValueKey;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A running server, through its control socket: its accounts and its [ControlCommand]s. Not
/// thread-safe.
public final class ControlClient implements AccountStore, AutoCloseable {
  private final SocketChannel channel;
  private final SocketPath path;

  private ControlClient(SocketChannel channel, SocketPath path) {
    this.channel = channel;
    this.path = path;
  }

  /// Connects to the server that uses a data folder.
  ///
  /// @throws AccessDeniedException if this user may not connect to it
  /// @throws IOException if no server listens
  public static ControlClient connect(Path folder) throws IOException {
    SocketPath path = SocketPath.in(folder);
    try {
      return new ControlClient(SocketChannel.open(path.address()), path);
    } catch (IOException e) {
      path.close();
      throw failure(e, folder);
    }
  }

  /// What a failure to connect means: Java has one kind for all.
  static IOException failure(IOException failure, Path folder) {
    if (!String.valueOf(failure.getMessage()).contains("Permission denied")) {
      return failure;
    }
    AccessDeniedException denied =
        new AccessDeniedException(folder.resolve(SocketPath.NAME).toString());
    denied.initCause(failure);
    return denied;
  }

  @Override
  public @Nullable Account find(Jid jid) {
    return call(
        Frames.Operation.FIND,
        out -> out.writeUTF(jid.toString()),
        in -> Frames.readAccounts(in).stream().findFirst().orElse(null));
  }

  @Override
  public List<Jid> create(List<Account> accounts) {
    List<Jid> existing = new ArrayList<>();
    for (int from = 0; from < accounts.size(); from += Frames.MAX_ACCOUNTS) {
      List<Account> part =
          accounts.subList(from, Math.min(from + Frames.MAX_ACCOUNTS, accounts.size()));
      List<Jid> answer =
          call(Frames.Operation.CREATE, out -> Frames.writeAccounts(out, part), Frames::readJids);
      existing.addAll(known(answer));
    }
    return existing;
  }

  /// Not for commands: those who run them need no permission.
  @Override
  public Creation create(Account account, ValueKey permission) {
    throw new UnsupportedOperationException("accounts are created without a permission here");
  }

  @Override
  public boolean changeKeys(Jid jid, List<ScramKeys> keys) {
    return known(
        call(
            Frames.Operation.CHANGE_KEYS,
            out -> {
              out.writeUTF(jid.toString());
              Frames.writeKeys(out, keys);
            },
            DataInputStream::readBoolean));
  }

  @Override
  public boolean addKeys(Jid jid, ScramKeys proved, ScramKeys added) {
    throw new UnsupportedOperationException("keys are added by logins, not by commands");
  }

  @Override
  public boolean remove(Jid jid) {
    return known(
        call(
            Frames.Operation.REMOVE,
            out -> out.writeUTF(jid.toString()),
            DataInputStream::readBoolean));
  }

  @Override
  public List<Removed> removed(String domain, @Nullable Jid from, int limit) {
    throw new UnsupportedOperationException("the server completes removals by itself");
  }

  @Override
  public boolean release(Jid jid) {
    throw new UnsupportedOperationException("the server completes removals by itself");
  }

  @Override
  public List<Jid> list(String domain, @Nullable Jid after, int limit) {
    return known(
        call(
            Frames.Operation.LIST,
            out -> {
              out.writeUTF(domain);
              out.writeUTF(after == null ? "" : after.toString());
              out.writeInt(limit);
            },
            Frames::readJids));
  }

  @Override
  public long count(String domain) {
    return known(
        call(Frames.Operation.COUNT, out -> out.writeUTF(domain), DataInputStream::readLong));
  }

  @FunctionalInterface
  private interface Answer<T> {
    @Nullable T read(DataInputStream in) throws IOException;
  }

  /// Runs a command in the server.
  ///
  /// @return the text to print
  /// @throws IllegalArgumentException if the arguments are wrong
  /// @throws IOException if the command failed, or the server did not answer
  public String run(String command, List<String> arguments) throws IOException {
    byte[] request =
        Frames.frame(out -> {
          out.writeByte(Frames.Operation.COMMAND.code());
          out.writeUTF(command);
          Frames.writeWords(out, arguments);
        });
    DataInputStream in = exchange(request);
    return switch (in.readUnsignedByte()) {
      case Frames.DONE -> Frames.readText(in);
      case Frames.WRONG -> throw new IllegalArgumentException(in.readUTF());
      default -> throw new IOException(in.readUTF());
    };
  }

  private <T> @Nullable T call(
      Frames.Operation operation, Frames.Content content, Answer<T> answer) {
    byte[] request =
        Frames.frame(out -> {
          out.writeByte(operation.code());
          content.writeTo(out);
        });
    try {
      DataInputStream in = exchange(request);
      if (in.readUnsignedByte() != Frames.DONE) {
        throw unavailable(in.readUTF(), null);
      }
      return answer.read(in);
    } catch (IOException e) {
      throw unavailable("the server does not answer on its control socket", e);
    }
  }

  private DataInputStream exchange(byte[] request) throws IOException {
    Frames.send(channel, request);
    DataInputStream in = Frames.receive(channel);
    if (in == null) {
      throw new IOException("the server closed the control socket");
    }
    return in;
  }

  private static <T> T known(@Nullable T value) {
    if (value == null) {
      throw unavailable("the server's answer is empty", null);
    }
    return value;
  }

  private static StoreException unavailable(String message, @Nullable Throwable cause) {
    return new StoreException(StoreException.Category.UNAVAILABLE, message, cause);
  }

  @Override
  public void close() throws IOException {
    try (path) {
      channel.close();
    }
  }
}
