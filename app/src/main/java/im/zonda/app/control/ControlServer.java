package im.zonda.app.control;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.Scheduler;
import im.zonda.runtime.FailureText;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.ScramKeys;
import im.zonda.store.StoreException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Handles requests of the command line in a running server: those of `zonda user`, and
/// [ControlCommand]s. Only the operating system's user that runs the server may connect.
public final class ControlServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
  private static final int MAX_CONNECTIONS = 16;
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration ACCEPT_PAUSE = Duration.ofSeconds(1);
  private static final String UNKNOWN = "unknown command; is the server older than this launcher?";

  private final AccountStore accounts;
  private final Consumer<Jid> forget;
  private final Map<String, ControlCommand> commands;
  private final Scheduler scheduler;
  private final ServerSocketChannel listener;
  private final SocketPath path;
  private final Path file;
  private final Semaphore free = new Semaphore(MAX_CONNECTIONS);
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

  /// Opens the socket in a data folder that this process has locked.
  ///
  /// @param forget ends the sessions of an account and unloads it
  /// @param commands the other commands, by their names
  /// @param scheduler closes idle connections
  /// @throws IOException if it cannot be opened
  public ControlServer(
      Path folder,
      AccountStore accounts,
      Consumer<Jid> forget,
      Map<String, ControlCommand> commands,
      Scheduler scheduler)
      throws IOException {
    this.accounts = accounts;
    this.forget = forget;
    this.commands = Map.copyOf(commands);
    this.scheduler = scheduler;
    this.file = folder.resolve(SocketPath.NAME);
    Files.deleteIfExists(file); // left by a killed server; this process has the folder's lock
    this.path = SocketPath.in(folder);
    this.listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(path.address());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Thread.ofVirtual().name("control").start(this::accept);
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        SocketChannel channel = listener.accept();
        if (free.tryAcquire()) {
          open.add(channel);
          Thread.ofVirtual().name("control-connection").start(() -> serve(channel));
        } else {
          channel.close();
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        // For example too many open files, which is temporary.
        LOG.atWarn().setCause(e).log("control_accept_failed");
        LockSupport.parkNanos(ACCEPT_PAUSE.toNanos());
      }
    }
  }

  private void serve(SocketChannel channel) {
    try (channel) {
      DataInputStream request = receive(channel);
      while (request != null) {
        Frames.send(channel, answer(request));
        request = receive(channel);
      }
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("reason", e.getMessage()).log("control_connection_ended");
    } finally {
      open.remove(channel);
      free.release();
    }
  }

  private @Nullable DataInputStream receive(SocketChannel channel) throws IOException {
    Scheduler.Cancellable silence = scheduler.schedule(SILENCE, () -> closeQuietly(channel));
    try {
      return Frames.receive(channel);
    } finally {
      silence.cancel();
    }
  }

  private byte[] answer(DataInputStream request) throws IOException {
    Frames.Operation operation = Frames.Operation.of(request.readUnsignedByte());
    if (operation == null) {
      return Frames.refusal(Frames.FAILED, UNKNOWN);
    }
    try {
      return switch (operation) {
        case FIND -> find(Jid.stored(request.readUTF()));
        case CREATE -> create(Frames.readAccounts(request));
        case CHANGE_KEYS -> changeKeys(Jid.stored(request.readUTF()), Frames.readKeys(request));
        case REMOVE -> remove(Jid.stored(request.readUTF()));
        case LIST -> list(request);
        case COUNT -> {
          long count = accounts.count(request.readUTF());
          yield Frames.done(out -> out.writeLong(count));
        }
        case COMMAND -> run(request.readUTF(), Frames.readWords(request));
      };
    } catch (StoreException | JidFormatException e) {
      LOG.atWarn().addKeyValue("operation", operation).setCause(e).log("control_request_failed");
      return Frames.refusal(Frames.FAILED, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.atError().addKeyValue("operation", operation).setCause(e).log("control_request_failed");
      return Frames.refusal(Frames.FAILED, "internal error; see the server's log");
    }
  }

  private byte[] run(String name, List<String> arguments) {
    ControlCommand command = commands.get(name);
    if (command == null) {
      return Frames.refusal(Frames.FAILED, UNKNOWN);
    }
    try {
      String text = command.run(arguments);
      return Frames.done(out -> Frames.writeText(out, text));
    } catch (IllegalArgumentException e) {
      return Frames.refusal(Frames.WRONG, String.valueOf(e.getMessage()));
    } catch (UncheckedIOException e) {
      return failed(name, Objects.requireNonNull(e.getCause()));
    } catch (NotApplicableException e) {
      return Frames.refusal(Frames.FAILED, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return failed(name, e);
    }
  }

  private static byte[] failed(String command, IOException cause) {
    String reason = FailureText.of(cause);
    LOG.atWarn()
        .addKeyValue("command", command)
        .addKeyValue("reason", reason)
        .log("control_command_failed");
    LOG.atDebug().addKeyValue("command", command).setCause(cause).log("control_command_failed");
    return Frames.refusal(Frames.FAILED, reason);
  }

  private byte[] find(Jid jid) {
    Account account = accounts.find(jid);
    List<Account> found = account == null ? List.of() : List.of(account);
    return Frames.done(out -> Frames.writeAccounts(out, found));
  }

  private byte[] create(List<Account> created) {
    List<Jid> existing = accounts.create(created);
    // A home that was loaded before the account existed may be in memory.
    created.stream().map(Account::jid).filter(jid -> !existing.contains(jid)).forEach(forget);
    int count = created.size() - existing.size();
    if (count > 0) {
      LOG.atInfo().addKeyValue("count", count).log("accounts_created");
    }
    return Frames.done(out -> Frames.writeJids(out, existing));
  }

  private byte[] changeKeys(Jid jid, List<ScramKeys> keys) {
    boolean changed = accounts.changeKeys(jid, keys);
    if (changed) {
      LOG.atInfo().log("account_password_changed");
    }
    return Frames.done(out -> out.writeBoolean(changed));
  }

  private byte[] remove(Jid jid) {
    boolean removed = accounts.remove(jid);
    forget.accept(jid);
    if (removed) {
      LOG.atInfo().log("account_removed");
    }
    return Frames.done(out -> out.writeBoolean(removed));
  }

  private byte[] list(DataInputStream request) throws IOException {
    String domain = request.readUTF();
    String after = request.readUTF();
    int limit = Math.clamp(request.readInt(), 1, Frames.MAX_ACCOUNTS);
    List<Jid> jids = accounts.list(domain, after.isEmpty() ? null : Jid.stored(after), limit);
    return Frames.done(out -> Frames.writeJids(out, jids));
  }

  private static void closeQuietly(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("control_close_failed");
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(ControlServer::closeQuietly);
    path.close();
    Files.deleteIfExists(file);
  }
}
