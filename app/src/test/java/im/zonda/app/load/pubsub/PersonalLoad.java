package im.zonda.app.load.pubsub;

import static java.util.Map.entry;

import im.zonda.app.load.client.Attributes;
import im.zonda.app.load.client.LoadClient;
import im.zonda.app.load.client.StanzaCutter;
import im.zonda.app.load.measure.StepCost;
import im.zonda.app.load.options.LoadOptions;
import im.zonda.app.load.options.OptionPairs;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Personal eventing (XEP-0163): logins of `a0`, whose contacts `b0`, `b1`… are there and have
/// three nodes each, and publications of `b0` that `a0` is notified of. A login is over when the
/// presence and the last items of all contacts have come.
///
/// The accounts must exist; who is not a contact yet becomes one.
public final class PersonalLoad {
  private static final String USAGE =
      """
      and:     --contacts 50 --logins 100 --publications 1000
               --last-items N (a login waits for so many; three of each contact by default)
      """;

  private static final List<String> NODES =
      List.of(
          "http://jabber.org/protocol/nick",
          "http://jabber.org/protocol/tune",
          "urn:xmpp:avatar:metadata");

  private static final String PAYLOADS =
      """
      <nick xmlns='http://jabber.org/protocol/nick'>%s</nick>
      <tune xmlns='http://jabber.org/protocol/tune'><artist>Yes</artist><title>%s</title></tune>
      <metadata xmlns='urn:xmpp:avatar:metadata'><info bytes='12345' id='%s' type='image/png'/></metadata>
      """;

  private static final int PATIENCE_SECONDS = 60;

  private final LoadOptions load;
  private final int contacts;
  private final int lastItems;
  private final Map<String, byte[]> passwords = new ConcurrentHashMap<>();

  private PersonalLoad(LoadOptions load, int contacts, int lastItems) {
    this.load = load;
    this.contacts = contacts;
    this.lastItems = lastItems;
  }

  /// Runs the load and prints the report.
  public static void main(String[] args) throws IOException {
    try {
      OptionPairs own =
          new OptionPairs(
              List.of(args),
              Map.ofEntries(
                  entry("contacts", "50"),
                  entry("logins", "100"),
                  entry("publications", "1000"),
                  entry("last-items", "")));
      int contacts = own.number("contacts");
      boolean all = own.text("last-items").isEmpty();
      int lastItems = all ? contacts * NODES.size() : own.number("last-items");
      new PersonalLoad(LoadOptions.parse(own.others()), contacts, lastItems)
          .run(own.number("logins"), own.number("publications"), System.out);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + USAGE);
      System.exit(2);
    }
  }

  /// A session that answers what it is asked, and counts what it gets.
  private final class Session implements AutoCloseable {
    private final LoadClient client;
    private final Semaphore presences = new Semaphore(0);
    private final Semaphore events = new Semaphore(0);
    private final Semaphore results = new Semaphore(0);
    private final AtomicInteger ids = new AtomicInteger();

    private Session(String user) throws IOException {
      client = LoadClient.connect(load).authenticate(user, passwords).bind("load");
      StanzaCutter cutter =
          new StanzaCutter(
              new StanzaCutter.Listener() {
                @Override
                public void element(byte[] bytes, int from, int to) {
                  take(new String(bytes, from, to - from, StandardCharsets.UTF_8));
                }

                @Override
                public void end() {}
              });
      client.listen((bytes, length) -> cutter.take(bytes, 0, length));
    }

    private void take(String stanza) {
      String tag = stanza.substring(0, stanza.indexOf('>') + 1);
      String type = String.valueOf(Attributes.of(tag, "type"));
      if (tag.startsWith("<message") && stanza.contains("pubsub#event")) {
        events.release();
      } else if (tag.startsWith("<presence") && type.equals("subscribe")) {
        send("<presence type='subscribed' to='" + Attributes.of(tag, "from") + "'/>");
      } else if (tag.startsWith("<presence") && type.equals("null")) {
        presences.release();
      } else if (tag.startsWith("<iq") && type.equals("get") && stanza.contains("disco#info")) {
        send(capabilities(tag, stanza));
      } else if (tag.startsWith("<iq") && type.equals("error")) {
        throw new IllegalStateException("refused: " + stanza);
      } else if (tag.startsWith("<iq") && type.equals("result")) {
        results.release();
      }
    }

    private void send(String xml) {
      try {
        client.send(xml);
      } catch (IOException e) {
        throw new UncheckedIOException("nothing can be sent", e);
      }
    }

    private void ask(String request) throws IOException {
      send(request.formatted("q" + ids.incrementAndGet()));
      await(results, 1, "answers");
    }

    private void comeOnline() throws IOException {
      ask("<iq type='get' id='%s'><query xmlns='jabber:iq:roster'/></iq>");
      send(
          "<presence><c xmlns='http://jabber.org/protocol/caps' hash='sha-1'"
              + " node='https://zonda.im/load' ver='"
              + VER
              + "'/></presence>");
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static final List<String> FEATURES = features();

  /// The hash of the capabilities (XEP-0115, section 5.1).
  private static final String VER = hash();

  private static List<String> features() {
    List<String> features = new ArrayList<>();
    features.add("http://jabber.org/protocol/disco#info");
    NODES.forEach(node -> features.add(node + "+notify"));
    features.sort(null);
    return features;
  }

  private static String hash() {
    try {
      String all = "client/pc//load<" + String.join("<", FEATURES) + "<";
      byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(all.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(sha1);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-1", e);
    }
  }

  private static String capabilities(String tag, String request) {
    StringBuilder answer =
        new StringBuilder("<iq type='result' id='" + Attributes.of(tag, "id") + "' to='");
    answer.append(Attributes.of(tag, "from")).append("'><query xmlns='");
    answer.append("http://jabber.org/protocol/disco#info'");
    String node = Attributes.of(request.substring(tag.length()), "node");
    if (node != null) {
      answer.append(" node='").append(node).append('\'');
    }
    answer.append("><identity category='client' type='pc' name='load'/>");
    FEATURES.forEach(each -> answer.append("<feature var='").append(each).append("'/>"));
    return answer.append("</query></iq>").toString();
  }

  private static void await(Semaphore counted, int most, String what) throws IOException {
    try {
      if (!counted.tryAcquire(most, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(
            "%d of %d %s in %d s"
                .formatted(counted.availablePermits(), most, what, PATIENCE_SECONDS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void run(int logins, int publications, PrintStream out) throws IOException {
    List<Session> all = new ArrayList<>();
    for (int i = 0; i < contacts; i++) {
      Session contact = new Session("b" + i);
      all.add(contact);
      contact.comeOnline();
      for (int node = 0; node < NODES.size(); node++) {
        publish(contact, node, "first" + i);
      }
    }
    befriend(all);
    StepCost cost = new StepCost(load.pid(), out);
    cost.step("logins before", logins, () -> login(logins));
    cost.step("logins with their contacts' last items", logins, () -> login(logins));
    cost.step("publications", publications, () -> publish(all.getFirst(), publications));
    all.forEach(Session::close);
  }

  /// Makes contacts of `a0` and all others.
  private void befriend(List<Session> all) throws IOException {
    try (Session one = new Session("a0")) {
      one.comeOnline();
      for (int i = 0; i < all.size(); i++) {
        one.send("<presence type='subscribe' to='b" + i + "@" + load.domain() + "'/>");
        all.get(i).send("<presence type='subscribe' to='a0@" + load.domain() + "'/>");
      }
      await(one.presences, contacts, "contacts");
    }
  }

  private void login(int times) throws IOException {
    for (int i = 0; i < times; i++) {
      try (Session one = new Session("a0")) {
        one.comeOnline();
        await(one.presences, contacts, "contacts");
        await(one.events, lastItems, "last items");
      }
    }
  }

  private void publish(Session contact, int times) throws IOException {
    try (Session one = new Session("a0")) {
      one.comeOnline();
      await(one.events, lastItems, "last items");
      for (int i = 0; i < times; i++) {
        publish(contact, i % NODES.size(), "item" + i);
      }
      await(one.events, times, "notifications");
    }
  }

  private static void publish(Session contact, int node, String what) throws IOException {
    String payload = PAYLOADS.lines().toList().get(node).formatted(what);
    contact.ask(
        "<iq type='set' id='%s'><pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='"
            + NODES.get(node)
            + "'><item id='current'>"
            + payload
            + "</item></publish></pubsub></iq>");
  }
}
