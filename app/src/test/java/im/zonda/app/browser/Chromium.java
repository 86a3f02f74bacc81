package im.zonda.app.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A Chromium without a screen. Windows do not share cookies and storage with each other.
final class Chromium implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final String LISTENING = "DevTools listening on ";
  private static final int ANSWER_SECONDS = 30;

  private final Process process;
  private final WebSocket socket;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<Integer, CompletableFuture<Map<String, @Nullable Object>>> waiting =
      new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> frames = new CopyOnWriteArrayList<>();

  private Chromium(Process process, String url) {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(url), new Answers())
            .join();
  }

  /// Starts one. The test is skipped where there is none.
  ///
  /// @param profile an empty folder
  static Chromium start(Path profile) throws IOException {
    Path program = find();
    assumeTrue(program != null, "skipped: none of " + NAMES + " is installed (README names it)");
    Process process =
        new ProcessBuilder(
                String.valueOf(program),
                "--headless=new",
                "--no-sandbox", // the tests may run as root
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "--lang=en-US",
                "--window-size=1280,800",
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader lines = process.errorReader(StandardCharsets.UTF_8);
    List<String> said = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      said.add(line);
      if (line.startsWith(LISTENING)) {
        // Reading a pipe holds the carrier of a virtual thread: with two cores none would be left.
        Thread.ofPlatform().daemon().start(() -> lines.lines().forEach(ignored -> {}));
        return new Chromium(process, line.substring(LISTENING.length()));
      }
    }
    throw new AssertionError("Chromium has not started: " + said);
  }

  private static @Nullable Path find() {
    return Stream.of(String.valueOf(System.getenv("PATH")).split(":", -1))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  /// Opens a window of a person of their own.
  BrowserWindow window() {
    String context = text(call(null, "Target.createBrowserContext", "{}"), "browserContextId");
    String target =
        text(
            call(
                null,
                "Target.createTarget",
                "{\"url\":\"about:blank\",\"browserContextId\":\"" + context + "\"}"),
            "targetId");
    String session =
        text(
            call(
                null,
                "Target.attachToTarget",
                "{\"targetId\":\"" + target + "\",\"flatten\":true}"),
            "sessionId");
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(session, domain + ".enable", "{}");
    }
    return new BrowserWindow(this, session);
  }

  /// What a member of an answer says.
  static String text(Map<String, @Nullable Object> answer, String member) {
    return String.valueOf(answer.get(member));
  }

  /// Calls a method of the Chrome DevTools Protocol and waits for its result.
  ///
  /// @param session that of a window; null for the browser
  /// @param parameters a JSON object
  Map<String, @Nullable Object> call(@Nullable String session, String method, String parameters) {
    int number = numbers.incrementAndGet();
    CompletableFuture<Map<String, @Nullable Object>> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    String to = session == null ? "" : ",\"sessionId\":\"" + session + "\"";
    socket
        .sendText(
            "{\"id\":"
                + number
                + to
                + ",\"method\":\""
                + method
                + "\",\"params\":"
                + parameters
                + "}",
            true)
        .join();
    try {
      return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(method + ": " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new AssertionError(method + " is not answered", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /// What pages were not allowed to do by their policies, and errors that no script caught.
  List<String> complaints() {
    return complaints;
  }

  /// The URLs that pages have asked for, and those of their WebSockets.
  List<String> requests() {
    return requests;
  }

  /// What pages have sent on WebSockets.
  List<String> frames() {
    return frames;
  }

  /// All its processes stand still (SIGSTOP), as those of a computer that sleeps.
  void sleep() throws IOException, InterruptedException {
    signal("STOP");
  }

  /// They go on.
  void wakeUp() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .forEach(each -> command.add(Long.toString(each.pid())));
    new ProcessBuilder(command).start().waitFor();
  }

  @Override
  public void close() {
    socket.abort();
    // Its own processes write to the folder of the profile for as long as they live.
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    process.destroy();
    process.onExit().join();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(each -> each.onExit().join());
  }

  private void received(Map<String, @Nullable Object> message) {
    if (message.get("id") instanceof Double id) {
      CompletableFuture<Map<String, @Nullable Object>> answer = waiting.remove(id.intValue());
      if (answer == null) {
        return;
      }
      if (message.containsKey("error")) {
        answer.completeExceptionally(new IOException(text(message, "error")));
      } else {
        answer.complete(JsonReader.asObject(message.get("result")));
      }
      return;
    }
    Map<String, @Nullable Object> parameters = JsonReader.asObject(message.get("params"));
    switch (text(message, "method")) {
      case "Log.entryAdded" -> {
        Map<String, @Nullable Object> entry = JsonReader.asObject(parameters.get("entry"));
        if (text(entry, "source").equals("security")
            || text(entry, "text").contains("Content Security Policy")) {
          complaints.add(text(entry, "text"));
        }
      }
      case "Network.requestWillBeSent" ->
          requests.add(text(JsonReader.asObject(parameters.get("request")), "url"));
      case "Network.webSocketCreated" -> requests.add(text(parameters, "url"));
      case "Network.webSocketFrameSent" ->
          frames.add(text(JsonReader.asObject(parameters.get("response")), "payloadData"));
      case "Runtime.exceptionThrown" -> complaints.add(parameters.toString());
      default -> {}
    }
  }

  private final class Answers implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        String message = parts.toString();
        parts.setLength(0);
        received(JsonReader.object(message));
      }
      from.request(1);
      return null;
    }
  }
}
