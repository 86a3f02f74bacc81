package im.zonda.bench.xmpp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A client of the generator: one stream, on one event loop. It parses nothing: elements are ranges
/// of bytes. Any thread may call unless a method says otherwise.
///
/// Requests of the server, such as pings, are answered by the client itself.
public final class XmppClient {
  private static final int LOGIN_SECONDS = 60;

  /// Elements that may wait while the client logs in.
  private static final int MOST_WAITING = 64;

  private final ClientLoops loops;
  private final ClientLoop loop;
  private final Endpoint endpoint;
  private final CompletableFuture<Wire> connected = new CompletableFuture<>();
  private final CompletableFuture<Throwable> ended = new CompletableFuture<>();
  private volatile @Nullable Wire wire;
  private volatile ElementListener listener = ElementListener.NONE;

  // Confined to the loop.
  private boolean negotiating = true;
  private @Nullable CompletableFuture<String> next;
  private @Nullable Queue<String> waiting = new ArrayDeque<>();
  private @Nullable Map<String, CompletableFuture<String>> requests;
  private int lastRequest;
  private boolean counting;
  private volatile long handled;
  private volatile String address = "";
  private volatile String resumptionId = "";
  private volatile String token = "";

  private XmppClient(ClientLoops loops, ClientLoop loop, Endpoint endpoint) {
    this.loops = loops;
    this.loop = loop;
    this.endpoint = endpoint;
  }

  /// Connects and logs in, within a minute.
  ///
  /// @param number the client's, which decides on its loop and its source address
  /// @param listener told of all stanzas that are no answers to [#iq]
  /// @return fails if the server does not let the client in
  public static CompletableFuture<XmppClient> login(
      ClientLoops loops, Endpoint endpoint, int number, Login login, ElementListener listener) {
    XmppClient client = new XmppClient(loops, loops.of(number), endpoint);
    client.listener = listener;
    return client.run(number, new Negotiation(client, loops.keys())::login, login);
  }

  /// Makes an account by in-band registration (XEP-0077), within a minute. An account that is there
  /// already is left as it is.
  ///
  /// @return fails if the server refuses
  public static CompletableFuture<Void> register(
      ClientLoops loops, Endpoint endpoint, int number, String user, String password) {
    XmppClient client = new XmppClient(loops, loops.of(number), endpoint);
    return client
        .run(number, new Negotiation(client, loops.keys())::register, Login.of(user, password))
        .thenAccept(XmppClient::close);
  }

  private interface Steps {
    CompletableFuture<Void> take(Login login);
  }

  private CompletableFuture<XmppClient> run(int number, Steps steps, Login login) {
    new Connection(loops, loop, endpoint, number).open(new Events());
    return connected
        .thenCompose(_ -> steps.take(login))
        .thenApply(_ -> this)
        .orTimeout(LOGIN_SECONDS, TimeUnit.SECONDS)
        .whenComplete((_, failure) -> {
          if (failure != null) {
            cut();
          }
        });
  }

  /// The loop, for what must happen on its thread.
  public ClientLoop loop() {
    return loop;
  }

  /// The full address that the server has bound.
  public String address() {
    return address;
  }

  /// Completes when the connection has ended, with the reason.
  public CompletableFuture<Throwable> ended() {
    return ended;
  }

  /// Replaces the listener.
  public void listen(ElementListener other) {
    listener = other;
  }

  /// Sends an element. Cheapest on the client's own loop.
  public void send(String xml) {
    send(xml.getBytes(StandardCharsets.UTF_8));
  }

  /// Sends an element. The array belongs to the client from now on.
  public void send(byte[] xml) {
    Wire now = wire;
    if (now != null) {
      now.write(xml);
    }
  }

  /// Sends a request and waits at most a minute for its answer.
  ///
  /// @param type `get` or `set`
  /// @param to the address; empty for the user's own account
  /// @param content the child
  /// @return the answer as it came, also one of type `error`; fails without an answer
  public CompletableFuture<String> iq(String type, String to, String content) {
    CompletableFuture<String> result = new CompletableFuture<>();
    loop.execute(() -> {
      Map<String, CompletableFuture<String>> open = requests;
      if (open == null) {
        open = new HashMap<>(4);
        requests = open;
      }
      String id = "q" + Integer.toString(++lastRequest, 36);
      CompletableFuture<String> answer = loop.request();
      open.put(id, answer);
      var _ =
          answer.whenComplete((text, failure) -> {
            if (failure == null) {
              result.complete(text);
            } else {
              forget(id);
              result.completeExceptionally(failure);
            }
          });
      if (ended.isDone()) {
        answer.completeExceptionally(ended.join());
        return;
      }
      String addressed = to.isEmpty() ? "" : " to='" + to + "'";
      send("<iq type='" + type + "' id='" + id + "'" + addressed + ">" + content + "</iq>");
    });
    return result;
  }

  private void forget(String id) {
    if (requests != null) {
      requests.remove(id);
    }
  }

  /// What resumes the session on another connection; null unless the server has offered to.
  public Login.@Nullable Resumption resumption() {
    return resumptionId.isEmpty() ? null : new Login.Resumption(resumptionId, handled);
  }

  /// Reads nothing more from the connection, so that what the server sends piles up.
  public void stopReading() {
    loop.execute(() -> wire().stopReading());
  }

  /// The token that the server has given for the next login; empty if it has not.
  public String token() {
    return token;
  }

  void give(String given) {
    token = given;
  }

  /// Closes the stream and the connection, without waiting.
  public void close() {
    loop.execute(() -> {
      Wire now = wire;
      if (now != null) {
        now.close();
      }
    });
  }

  /// Resets the connection: the server learns nothing but that.
  public void cut() {
    Wire now = wire;
    if (now != null) {
      now.cut();
    } else {
      // What connects later is closed then.
      var _ = connected.thenAccept(Wire::cut);
    }
  }

  // ---- for the negotiation, on the loop

  Endpoint endpoint() {
    return endpoint;
  }

  /// Opens the stream; completes with its features.
  CompletableFuture<String> openStream() {
    CompletableFuture<String> features = next();
    wire().openStream();
    return features;
  }

  /// Sends an element; completes with the next one of the server.
  CompletableFuture<String> ask(String xml) {
    CompletableFuture<String> answer = next();
    send(xml);
    return answer;
  }

  /// Puts TLS under the stream.
  CompletableFuture<Void> startTls() {
    CompletableFuture<Void> secured = new CompletableFuture<>();
    securing = secured;
    wire().startTls();
    return secured;
  }

  private @Nullable CompletableFuture<Void> securing;

  private Wire wire() {
    Wire now = wire;
    if (now == null) {
      throw new IllegalStateException("not connected");
    }
    return now;
  }

  /// Completes with the next element of the server.
  CompletableFuture<String> next() {
    CompletableFuture<String> element = new CompletableFuture<>();
    String first = waiting == null ? null : waiting.poll();
    if (first != null) {
      element.complete(first);
    } else if (ended.isDone()) {
      element.completeExceptionally(ended.join());
    } else {
      next = element;
    }
    return element;
  }

  /// Ends the negotiation: from now on the listener gets the elements.
  void begin(String bound, String resumption, boolean managed, long alreadyHandled) {
    address = bound;
    resumptionId = resumption;
    counting = managed;
    handled = alreadyHandled;
    negotiating = false;
    Queue<String> before = waiting;
    waiting = null;
    if (before != null) {
      for (String element : before) {
        byte[] bytes = element.getBytes(StandardCharsets.UTF_8);
        stanza(bytes, 0, bytes.length);
      }
    }
  }

  // ---- what arrives, on the loop

  private void stanza(byte[] bytes, int from, int to) {
    if (Markup.startsWith(bytes, from, to, "<r ") || Markup.startsWith(bytes, from, to, "<r/")) {
      send("<a xmlns='urn:xmpp:sm:3' h='" + handled + "'/>");
      return;
    }
    if (counting && !Markup.startsWith(bytes, from, to, "<a ")) {
      handled = handled + 1 & 0xFFFF_FFFFL;
    }
    if (Markup.startsWith(bytes, from, to, "<iq") && isAnsweredHere(bytes, from, to)) {
      return;
    }
    listener.element(bytes, from, to, System.nanoTime());
  }

  private boolean isAnsweredHere(byte[] bytes, int from, int to) {
    String type = Markup.attribute(bytes, from, to, "type");
    String id = Markup.attribute(bytes, from, to, "id");
    if (type == null || id == null) {
      return false;
    }
    if (type.equals("get") || type.equals("set")) {
      String sender = Markup.attribute(bytes, from, to, "from");
      send(
          "<iq type='result' id='%s'%s/>"
              .formatted(id, sender == null ? "" : " to='" + sender + "'"));
      return true;
    }
    CompletableFuture<String> answer = requests == null ? null : requests.remove(id);
    return answer != null
        && answer.complete(new String(bytes, from, to - from, StandardCharsets.UTF_8));
  }

  private final class Events implements Wire.Events {
    @Override
    public void ready(Wire given) {
      wire = given;
      CompletableFuture<Void> secured = securing;
      securing = null;
      if (secured != null) {
        secured.complete(null);
      } else {
        connected.complete(given);
      }
    }

    @Override
    public void element(byte[] bytes, int from, int to) {
      if (!negotiating) {
        stanza(bytes, from, to);
        return;
      }
      String element = new String(bytes, from, to - from, StandardCharsets.UTF_8);
      CompletableFuture<String> asked = next;
      next = null;
      if (asked != null) {
        asked.complete(element);
      } else if (waiting != null && waiting.size() < MOST_WAITING) {
        waiting.add(element);
      } else {
        failed(new IllegalStateException("the server sends too much before the login has ended"));
        cut();
      }
    }

    @Override
    public void end() {
      failed(new java.io.EOFException("the server has closed the stream"));
    }

    @Override
    public void failed(Throwable cause) {
      if (!ended.complete(cause)) {
        return;
      }
      connected.completeExceptionally(cause);
      if (next != null) {
        next.completeExceptionally(cause);
      }
      if (securing != null) {
        securing.completeExceptionally(cause);
      }
      Map<String, CompletableFuture<String>> open = requests;
      requests = null;
      if (open != null) {
        open.values().forEach(each -> each.completeExceptionally(cause));
      }
    }
  }
}
