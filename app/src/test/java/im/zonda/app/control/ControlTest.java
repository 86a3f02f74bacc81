package im.zonda.app.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import im.zonda.auth.Passwords;
import im.zonda.jid.Jid;
import im.zonda.module.Scheduler;
import im.zonda.storage.memory.MemoryStores;
import im.zonda.store.Account;
import im.zonda.store.AccountStore;
import im.zonda.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ControlTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Jid ANNA = Jid.of("anna@a.example");

  @TempDir private Path folder;

  private final MemoryStores stores = new MemoryStores(InstantSource.system());
  private final AccountStore accounts = stores.accounts();
  private final BlockingQueue<Jid> forgotten = new LinkedBlockingQueue<>();
  private final BlockingQueue<Runnable> alarms = new LinkedBlockingQueue<>();
  private final Scheduler scheduler =
      (Duration delay, Runnable task) -> {
        alarms.add(task);
        return () -> alarms.remove(task);
      };
  private ControlServer server;

  @BeforeEach
  void start() throws IOException {
    server = open(folder);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @SuppressWarnings("NullAway.Init") // the server is started before each test
  ControlTest() {}

  @Test
  void accountsAreManagedThroughTheSocket() throws Exception {
    try (ControlClient client = ControlClient.connect(folder)) {
      Account anna = new Account(ANNA, Passwords.derive("secret", new SecureRandom()), NOW);
      assertThat(client.find(ANNA)).isNull();
      assertThat(client.create(List.of(anna))).isEmpty();
      assertThat(client.create(List.of(anna))).containsExactly(ANNA);
      assertThat(client.count("a.example")).isEqualTo(1);
      Account found = Objects.requireNonNull(client.find(ANNA));
      assertThat(found.created()).isEqualTo(NOW);
      assertThat(Passwords.matches(found, "secret")).isTrue();
      assertThat(client.changeKeys(ANNA, Passwords.derive("new", new SecureRandom()))).isTrue();
      Account changed = Objects.requireNonNull(accounts.find(ANNA));
      assertThat(Passwords.matches(changed, "new")).isTrue();
      assertThat(client.changeKeys(Jid.of("x@a.example"), List.of())).isFalse();
      assertThat(client.list("a.example", null, 10)).containsExactly(ANNA);
      assertThat(client.list("a.example", ANNA, 10)).isEmpty();
      assertThat(client.remove(ANNA)).isTrue();
      assertThat(client.remove(ANNA)).isFalse();
    }
    // Created once, removed twice: each time a home may hold something else.
    assertThat(forgotten).containsExactly(ANNA, ANNA, ANNA);
  }

  /// The exception of a socket that belongs to another user.
  @Test
  void aServerThatMayNotBeAskedIsNotTakenForNone() {
    assertThat(ControlClient.failure(new BindException("Permission denied"), folder))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessage(folder.resolve("control.sock").toString());
    IOException none = new SocketException("No such file or directory");
    assertThat(ControlClient.failure(none, folder)).isSameAs(none);
  }

  @Test
  void thousandsGoInParts() throws Exception {
    List<Account> many = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      many.add(new Account(Jid.of("u" + i + "@a.example"), List.of(), NOW));
    }
    try (ControlClient client = ControlClient.connect(folder)) {
      assertThat(client.create(many)).isEmpty();
      assertThat(client.create(many)).hasSize(1_200);
      assertThat(client.count("a.example")).isEqualTo(1_200);
      assertThat(client.list("a.example", null, 100_000)).hasSize(500);
    }
  }

  @Test
  void aFailureOfTheStoreIsReported() throws Exception {
    stores.fail(StoreException.Category.FULL);
    try (ControlClient client = ControlClient.connect(folder)) {
      assertThatThrownBy(() -> client.count("a.example"))
          .isInstanceOf(StoreException.class)
          .hasMessage("made to fail by the test");
    }
  }

  @Test
  void onlyTheOwnerMayConnect() throws Exception {
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("control.sock"))))
        .isEqualTo("rw-------");
  }

  @Test
  void framesHaveALimit() throws Exception {
    for (int length : new int[] {0, -1, (1 << 20) + 1, Integer.MAX_VALUE}) {
      try (SocketChannel channel = connect()) {
        channel.write(ByteBuffer.allocate(4).putInt(length).flip());
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
      }
    }
    try (ControlClient client = ControlClient.connect(folder)) {
      assertThat(client.count("a.example")).isZero(); // the server goes on
    }
  }

  @Test
  void whatIsNotARequestEndsTheConnection() throws Exception {
    byte[][] requests = {{'c', 0, 9, 0}, {'f', 0, 3, '@', '@', '@'}, {'?'}};
    for (byte[] request : requests) {
      try (SocketChannel channel = connect()) {
        channel.write(ByteBuffer.allocate(64).putInt(request.length).put(request).flip());
        ByteBuffer answer = ByteBuffer.allocate(5);
        int read = channel.read(answer);
        while (read >= 0 && answer.hasRemaining()) {
          read = channel.read(answer);
        }
        // Either refused with words, or ended; never answered as if it had been done.
        assertThat(answer.hasRemaining() || answer.get(4) == 1).isTrue();
      }
    }
  }

  @Test
  void aSilentConnectionIsEnded() throws Exception {
    try (SocketChannel channel = connect()) {
      Runnable alarm = alarms.take();
      alarm.run();
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @Test
  void aDeepFolderIsReachedToo() throws Exception {
    Path deep = folder.resolve("d".repeat(90)).resolve("e".repeat(90));
    Files.createDirectories(deep);
    try (ControlServer other = open(deep);
        ControlClient client = ControlClient.connect(deep)) {
      assertThat(other).isNotNull();
      assertThat(client.count("a.example")).isZero();
    }
    assertThat(Files.exists(deep.resolve("control.sock"))).isFalse();
  }

  @Test
  void aSocketThatAKilledServerLeftIsReplaced() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.createFile(other.resolve("control.sock"));
    try (ControlServer again = open(other);
        ControlClient client = ControlClient.connect(other)) {
      assertThat(again).isNotNull();
      assertThat(client.count("a.example")).isZero();
    }
  }

  @Test
  void aCommandGetsItsArgumentsAndReturnsText() throws Exception {
    try (ControlClient client = ControlClient.connect(folder)) {
      assertThat(client.run("echo", List.of())).isEmpty();
      assertThat(client.run("echo", List.of("a b", "", "ü"))).isEqualTo("a b||ü");
      String large = "x".repeat(60_000);
      assertThat(client.run("echo", Collections.nCopies(3, large))).hasSize(180_002);
      assertThat(client.count("a.example")).isZero();
    }
  }

  @Test
  void aCommandThatFailsSaysWhy() throws Exception {
    try (ControlClient client = ControlClient.connect(folder)) {
      assertThatThrownBy(() -> client.run("fail", List.of("wrong", "no such host")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no such host");
      assertThatThrownBy(() -> client.run("fail", List.of("failed", "the file is gone")))
          .isInstanceOf(IOException.class)
          .hasMessage("the file is gone");
      assertThatThrownBy(() -> client.run("fail", List.of("busy", "no answer")))
          .isInstanceOf(IOException.class)
          .hasMessage("no answer");
      assertThatThrownBy(() -> client.run("fail", List.of("file", "/nope")))
          .isInstanceOf(IOException.class)
          .hasMessage("/nope does not exist");
      assertThatThrownBy(() -> client.run("fail", List.of("defect", "secret")))
          .isInstanceOf(IOException.class)
          .hasMessage("internal error; see the server's log");
      assertThatThrownBy(() -> client.run("nothing", List.of()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("unknown command");
      assertThatThrownBy(() -> client.run("flood", List.of()))
          .isInstanceOf(IOException.class)
          .hasMessage("the answer is too long");
      assertThatThrownBy(() -> client.run("echo", Collections.nCopies(65, "x")))
          .hasMessageContaining("65");
      assertThat(client.run("echo", List.of("still there"))).isEqualTo("still there");
    }
  }

  @Test
  void theMistakesOfAnAdministratorFillNoLog() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(ControlServer.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try (ControlClient client = ControlClient.connect(folder)) {
      assertThatThrownBy(() -> client.run("fail", List.of("inapplicable", "no cluster")))
          .isInstanceOf(IOException.class)
          .hasMessage("no cluster");
      assertThat(lines.list).isEmpty();
      assertThatThrownBy(() -> client.run("fail", List.of("failed", "the file is gone")))
          .isInstanceOf(IOException.class);
      assertThat(lines.list)
          .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
          .singleElement()
          .satisfies(event -> assertThat(event.getThrowableProxy()).isNull())
          .extracting(event -> event.getKeyValuePairs().toString())
          .asString()
          .contains("command=\"fail\"", "reason=\"the file is gone\"");
    } finally {
      logger.detachAppender(lines);
    }
  }

  private ControlServer open(Path at) throws IOException {
    Map<String, ControlCommand> commands =
        Map.of(
            "echo", words -> String.join("|", words),
            "fail", words -> fail(words.get(0), words.get(1)),
            "flood", words -> "x".repeat(Frames.MAX_FRAME));
    return new ControlServer(at, accounts, forgotten::add, commands, scheduler);
  }

  private static String fail(String how, String message) throws IOException {
    switch (how) {
      case "wrong" -> throw new IllegalArgumentException(message);
      case "failed" -> throw new IOException(message);
      case "file" -> throw new NoSuchFileException(message);
      case "inapplicable" -> throw new NotApplicableException(message);
      case "busy" -> throw new UncheckedIOException(new IOException(message));
      default -> throw new IllegalStateException(message);
    }
  }

  private SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("control.sock")));
  }
}
