package im.zonda.app.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.control.ApiClient.Answer;
import im.zonda.app.operation.run.RunningServerRunner;
import im.zonda.http.HttpMethod;
import im.zonda.json.JsonText;
import im.zonda.operation.Catalogue;
import im.zonda.operation.Field;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.operation.Right;
import im.zonda.operation.execution.Jobs;
import im.zonda.operation.execution.OperationExecutor;
import im.zonda.runtime.ServerRuntime;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ControlSocketTest {
  private static final int MOST_CONNECTIONS = 16;

  record Word(@Field("the word") String word, @Field("how often") @Nullable Integer times) {}

  record Said(@Field(value = "the words", max = 2_000_000) String words, @Field("who") String by) {}

  private static final Operation<Word, Said> SAY =
      Operation.change("word.say", Right.SERVER)
          .at("POST /words/{word}", "Say a word", Word.class, Said.class);

  private static final Operation<Word, Said> FIND =
      Operation.read("word.find", Right.SERVER)
          .at("GET /words", "Find a word", Word.class, Said.class);

  private static final Operation<Nothing, Said> COUNT =
      Operation.read("word.count", Right.SERVER)
          .at("GET /words/count", "Count", Nothing.class, Said.class);

  private static final Operation<Word, Nothing> DROP =
      Operation.destroy("word.drop", Right.SERVER)
          .at("DELETE /words/{word}", "Drop a word", Word.class, Nothing.class);

  private static final Operation<Nothing, Said> WAIT =
      Operation.read("word.wait", Right.SERVER)
          .at("GET /words/wait", "Wait", Nothing.class, Said.class);

  private final CountDownLatch waiting = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  private final List<Offer<?, ?>> offers =
      List.of(
          SAY.by((call, input) ->
              Outcome.done(
                  new Said(
                      input.word().repeat(Objects.requireNonNullElse(input.times(), 1)),
                      call.caller().name()))),
          FIND.by((_, input) -> Outcome.refused(Reason.NOT_FOUND, "No word " + input.word() + ".")),
          COUNT.by((_, _) ->
              new Outcome.Following<>(sink -> {
                for (String each : List.of("one", "two", "three ü")) {
                  sink.accept(new Said(each, "counter"));
                }
              })),
          WAIT.by((_, _) ->
              new Outcome.Following<>(_ -> {
                waiting.countDown();
                try {
                  new CountDownLatch(1).await();
                } finally {
                  ended.countDown();
                }
              })),
          DROP.by((_, _) -> Nothing.done()));

  @TempDir private Path folder;

  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong ids = new AtomicLong();
  private final ServerRuntime runtime =
      new ServerRuntime(
          InstantSource.system(),
          (_, _) -> () -> {},
          () -> "id" + ids.incrementAndGet(),
          new SecureRandom(),
          workers);
  private ControlSocket server;
  private ApiClient client;

  @SuppressWarnings("NullAway.Init") // the server is started before each test
  ControlSocketTest() {}

  @BeforeEach
  void start() throws IOException {
    server = open(folder, Duration.ofSeconds(30));
    client = new ApiClient(folder);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    workers.shutdownNow();
  }

  @Test
  void operationsAreRunForTheUserOfTheServer() throws Exception {
    assertThat(client.isAnswered()).isTrue();
    assertThat(send(HttpMethod.POST, "/api/v1/words/ah", "{\"times\":3}"))
        .isEqualTo(
            new Answer(
                200,
                "{\"words\":\"ahahah\",\"by\":\"" + System.getProperty("user.name") + "\"}\n"));
    assertThat(send(HttpMethod.DELETE, "/api/v1/words/ah", null)).isEqualTo(new Answer(204, ""));
    Answer refused = send(HttpMethod.GET, "/api/v1/words?word=%C3%BC", null);
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.body()).contains("\"detail\":\"No word ü.\"");
    assertThat(send(HttpMethod.POST, "/api/v1/words/ah", "{\"often\":3}").status()).isEqualTo(422);
    assertThat(send(HttpMethod.POST, "/api/v1/words/ah", "{").status()).isEqualTo(400);
    assertThat(send(HttpMethod.GET, "/status", null).status()).isEqualTo(404);
  }

  @Test
  void aVariableOfThePathMayHaveSlashes() throws Exception {
    var answer =
        new RunningServerRunner(client)
            .run(SAY, new HashMap<>(Map.of("word", "Gajim/7 %2F")), _ -> {});
    assertThat(answer)
        .isEqualTo(
            new im.zonda.app.operation.run.Answer.Done(
                Map.of("words", "Gajim/7 %2F", "by", System.getProperty("user.name"))));
  }

  @Test
  void aLargeAnswerIsReadWhole() throws Exception {
    Answer answer = send(HttpMethod.POST, "/api/v1/words/" + "x".repeat(1_000), "{\"times\":1000}");
    assertThat(answer.body()).hasSizeGreaterThan(1_000_000).endsWith("}\n");
  }

  @Test
  void resultsComeAsTheyAreKnown() throws Exception {
    List<String> events = new ArrayList<>();
    Answer answer = client.send(HttpMethod.GET, "/api/v1/words/count", null, events::add);
    assertThat(answer).isEqualTo(new Answer(200, ""));
    assertThat(events)
        .containsExactly(
            "{\"words\":\"one\",\"by\":\"counter\"}",
            "{\"words\":\"two\",\"by\":\"counter\"}",
            "{\"words\":\"three ü\",\"by\":\"counter\"}");
  }

  @Test
  void whatNobodyFollowsEnds() throws Exception {
    try (SocketChannel channel = connect(folder)) {
      write(channel, "GET /api/v1/words/wait HTTP/1.1\r\nHost: zonda\r\n\r\n");
      waiting.await();
    }
    ended.await();
  }

  @Test
  void onlyTheOwnerMayConnect() throws Exception {
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("control"))))
        .isEqualTo("rw-------");
    assertThat(ApiClient.failure(new BindException("Permission denied"), folder))
        .isInstanceOf(AccessDeniedException.class);
    IOException none = new SocketException("No such file or directory");
    assertThat(ApiClient.failure(none, folder)).isSameAs(none);
  }

  @Test
  void aFolderWithoutAServerIsNamed() throws Exception {
    ApiClient other = new ApiClient(folder.resolve("none"));
    assertThat(other.isAnswered()).isFalse();
    assertThatThrownBy(() -> other.send(HttpMethod.GET, "/api/v1/words", null, _ -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage("no server is running with the data folder " + folder.resolve("none"));
  }

  @Test
  void aBodyHasALimit() throws Exception {
    String body = "{\"times\":1,\"word\":\"" + "x".repeat(1 << 20) + "\"}";
    assertThat(send(HttpMethod.POST, "/api/v1/words/x", body).status()).isEqualTo(413);
    assertThat(send(HttpMethod.DELETE, "/api/v1/words/x", null).status()).isEqualTo(204);
  }

  @Test
  void aSilentConnectionIsEnded() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    try (ControlSocket impatient = open(other, Duration.ofMillis(100));
        SocketChannel channel = connect(other)) {
      assertThat(impatient).isNotNull();
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  @Test
  void thereIsNoWebSocket() throws Exception {
    try (SocketChannel channel = connect(folder)) {
      write(
          channel,
          "GET /xmpp-websocket HTTP/1.1\r\nHost: zonda\r\nUpgrade: websocket\r\nConnection:"
              + " Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: xmpp\r\n"
              + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
      ByteBuffer answer = ByteBuffer.allocate(12);
      while (answer.hasRemaining() && channel.read(answer) >= 0) {
        // until the status is there
      }
      assertThat(new String(answer.array(), StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 503");
    }
  }

  @Test
  void thereAreNotTooManyConnections() throws Exception {
    List<SocketChannel> open = new ArrayList<>();
    try {
      for (int i = 0; i < MOST_CONNECTIONS; i++) {
        SocketChannel channel = connect(folder);
        write(channel, "DELETE /api/v1/words/x HTTP/1.1\r\nHost: zonda\r\n\r\n");
        assertThat(channel.read(ByteBuffer.allocate(12))).isEqualTo(12); // it was accepted
        open.add(channel);
      }
      try (SocketChannel excess = connect(folder)) {
        assertThat(isAnswered(excess)).isFalse();
      }
    } finally {
      for (SocketChannel each : open) {
        each.close();
      }
    }
  }

  @Test
  void aDeepFolderIsReachedToo() throws Exception {
    Path deep = folder.resolve("d".repeat(90)).resolve("e".repeat(90));
    Files.createDirectories(deep);
    try (ControlSocket other = open(deep, Duration.ofSeconds(30))) {
      assertThat(other).isNotNull();
      assertThat(new ApiClient(deep).isAnswered()).isTrue();
    }
    assertThat(deep.resolve("control")).doesNotExist();
  }

  @Test
  void aSocketThatAKilledServerLeftIsReplaced() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.createFile(other.resolve("control"));
    try (ControlSocket again = open(other, Duration.ofSeconds(30))) {
      assertThat(again).isNotNull();
      assertThat(new ApiClient(other).isAnswered()).isTrue();
    }
  }

  private Answer send(HttpMethod method, String target, @Nullable String json) throws IOException {
    return client.send(
        method,
        target,
        json,
        event -> {
          throw new AssertionError(event);
        });
  }

  private static SocketChannel connect(Path at) throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(at.resolve("control")));
  }

  private static boolean isAnswered(SocketChannel channel) {
    try {
      write(channel, "DELETE /api/v1/words/x HTTP/1.1\r\nHost: zonda\r\n\r\n");
      return channel.read(ByteBuffer.allocate(1)) > 0;
    } catch (IOException e) {
      return false; // it was closed before the request was written
    }
  }

  private static void write(SocketChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private ControlSocket open(Path at, Duration silence) throws IOException {
    Catalogue catalogue =
        new Catalogue() {
          @Override
          public List<Operation<?, ?>> operations() {
            return Offer.operations(offers);
          }

          @Override
          public @Nullable Offer<?, ?> find(String name, @Nullable String host) {
            return Offer.find(offers, name);
          }

          @Override
          public @Nullable String hostOf(String domain) {
            return null;
          }
        };
    Jobs jobs = new Jobs(runtime.clock(), runtime.ids()::next, workers);
    return ControlSocket.open(
        at,
        new OperationExecutor(
            new OperationExecutor.Parts(
                catalogue, _ -> {}, JsonText::of, runtime.clock(), workers, jobs)),
        runtime,
        silence);
  }
}
