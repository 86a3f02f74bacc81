package im.zonda.app.noloss;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Checks while the database is away that chat between clients who are there goes on, and that
/// those who log in get an answer.
final class OutageProbe {
  /// As many accounts log in for the first time; after that those that have been there come again.
  private static final int NEWCOMERS = 120;

  private static final String READER = "here0";
  private static final String WRITER = "here1";

  private final Map<String, Integer> answers = new TreeMap<>();
  private int chats;
  private int logins;

  /// Two clients who are there.
  private record Pair(ScriptedClient reader, ScriptedClient writer) {}

  /// Its accounts.
  static List<String> accounts() {
    return Stream.concat(
            Stream.of(READER, WRITER), IntStream.range(0, NEWCOMERS).mapToObj(i -> "new" + i))
        .toList();
  }

  private static ScriptedClient connect(InetSocketAddress address) throws IOException {
    return new ScriptedClient(SocketWire.connect(address));
  }

  private static Login login(String account, String resource) {
    return Login.of(account + "@" + NoLossPlan.DOMAIN + "/" + resource, NoLossPlan.PASSWORD)
        .withMechanism("SCRAM-SHA-1")
        .withSecurity(Login.Security.NONE);
  }

  /// Two clients who are there before the fault.
  Chat chat(InetSocketAddress address) throws IOException {
    return new Chat(present(address, READER), present(address, WRITER));
  }

  private static ScriptedClient present(InetSocketAddress address, String account)
      throws IOException {
    ScriptedClient client = connect(address).login(login(account, "there"));
    client.send("<presence/>");
    client.fence("present");
    return client;
  }

  /// A conversation between clients who are there.
  final class Chat implements AutoCloseable {
    private final Pair pair;

    private Chat(ScriptedClient reader, ScriptedClient writer) {
      pair = new Pair(reader, writer);
    }

    /// Sends a message and waits until it has arrived.
    ///
    /// @throws AssertionError if it does not arrive
    void goesOn() {
      String id = "probe-" + ++chats;
      pair.writer.send(
          "<message type='chat' id='"
              + id
              + "' to='"
              + pair.reader.jid()
              + "'><body>Art thou there?</body></message>");
      pair.reader.receiveFirst(e -> id.equals(e.attribute("id")));
    }

    @Override
    public void close() {
      pair.reader.close();
      pair.writer.close();
    }
  }

  /// Starts `count` logins of those who were not there recently.
  List<FutureTask<String>> startLogins(InetSocketAddress address, int count) {
    List<FutureTask<String>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String account = "new" + logins++ % NEWCOMERS;
      FutureTask<String> task = new FutureTask<>(() -> answer(address, account));
      Thread.ofVirtual().start(task);
      tasks.add(task);
    }
    return tasks;
  }

  /// Waits until those logins have been answered.
  void awaitAnswers(List<FutureTask<String>> waiting) throws InterruptedException {
    for (FutureTask<String> login : waiting) {
      try {
        answers.merge(login.get(), 1, Integer::sum);
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /// What comes of a login: its answer in one word.
  private static String answer(InetSocketAddress address, String account) {
    String step = "connect";
    try (ScriptedClient client = connect(address)) {
      step = "open";
      client.open(NoLossPlan.DOMAIN);
      step = "authenticate";
      XmlElement answer = client.authenticate(login(account, "late"));
      if (!answer.is(ScriptedClient.SASL, "success")) {
        return answer.children().getFirst().localName();
      }
      step = "open again";
      client.open(NoLossPlan.DOMAIN);
      step = "bind";
      client.send("<iq type='set' id='b'><bind xmlns='" + ScriptedClient.BIND + "'/></iq>");
      XmlElement bound = client.receive();
      return "result".equals(bound.attribute("type")) ? "accepted" : "bind: " + bound.condition();
    } catch (IOException | UncheckedIOException | AssertionError e) {
      return "NO ANSWER to " + step + ": " + e.getMessage();
    }
  }

  /// What came of the logins that were not answered as they should be.
  List<String> faults() {
    return answers.entrySet().stream()
        .filter(e -> e.getKey().startsWith("NO ANSWER"))
        .map(e -> e.getValue() + " logins: " + e.getKey())
        .toList();
  }

  /// What came of it, in words.
  @Override
  public String toString() {
    return chats
        + " messages arrived meanwhile, logins meanwhile "
        + answers.entrySet().stream()
            .map(e -> e.getValue() + " " + e.getKey())
            .collect(Collectors.joining(", "));
  }
}
