package im.zonda.app.noloss.nodes;

import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.client.SocketWire;
import im.zonda.testkit.client.StreamEvent;
import im.zonda.testkit.noloss.NoLossPlan;
import im.zonda.testkit.noloss.ServerLives;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// Publishes to its account's node and to one of the service through all lives of the server, and
/// compares in the end what was answered with what there is.
///
/// Every second item names its id and is published again if it was not answered. The service
/// chooses the ids of the others, which are published once.
final class Publisher implements Runnable {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String SERVICE = "pubsub." + NoLossPlan.DOMAIN;
  private static final String SUBSCRIBE = "subscribe";
  private static final int WINDOW = 16;
  private static final int PAGE = 250;

  /// Options of a node that keeps everything, so that the first publication creates it.
  private static final String OPTIONS =
      "<publish-options><x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE'><value>"
          + PUBSUB
          + "#publish-options</value></field><field var='pubsub#max_items'><value>max</value>"
          + "</field></x></publish-options>";

  private final ServerLives lives;
  private final CountDownLatch seen;
  private final CountDownLatch over;
  private final Login login;
  private final String node;
  private final List<String> violations = new ArrayList<>();
  private final Map<String, Request> waiting = new LinkedHashMap<>();
  private final Deque<Request> again = new ArrayDeque<>();
  private final Set<String> sent = new LinkedHashSet<>();
  private final Set<String> answered = new LinkedHashSet<>();
  private final Set<String> notified = new LinkedHashSet<>();
  private boolean subscribed;
  private int count;

  /// An item of a node.
  ///
  /// @param key its text, and its id if it names one
  /// @param atService whether it is published at the service
  private record Request(String key, boolean atService, boolean namesId) {
    String xml(String node) {
      return ("<iq type='set' id='%s'%s><pubsub xmlns='%s'><publish node='%s'><item%s>%s</item>"
              + "</publish>%s</pubsub></iq>")
          .formatted(
              key,
              atService ? " to='" + SERVICE + "'" : "",
              PUBSUB,
              node,
              namesId ? " id='" + key + "'" : "",
              "<x xmlns='urn:x'>" + key + "</x>",
              OPTIONS);
    }
  }

  /// @param seen counted down when an item has been answered and notified
  /// @param over counted down when no more is to be published
  Publisher(String name, ServerLives lives, CountDownLatch seen, CountDownLatch over) {
    this.lives = lives;
    this.seen = seen;
    this.over = over;
    this.node = "news-" + name;
    this.login =
        Login.of(name + "@" + NoLossPlan.DOMAIN + "/p", NoLossPlan.PASSWORD)
            .withSecurity(Login.Security.NONE)
            .withKeptKeys();
  }

  @Override
  public void run() {
    try {
      while (over.getCount() > 0) {
        int kills = lives.kills();
        try (ScriptedClient client = connect()) {
          client.send("<presence/>");
          publish(client);
        } catch (IOException | UncheckedIOException | AssertionError e) {
          if (lives.kills() == kills && lives.now() != null) {
            violations.add("the connection is lost while the server lives: " + e);
            return;
          }
        }
        waiting.values().stream().filter(Request::namesId).forEach(again::add);
        waiting.clear();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ScriptedClient connect() throws IOException, InterruptedException {
    return new ScriptedClient(SocketWire.connect(lives.await())).login(login);
  }

  /// Publishes until the connection is lost, or everything has been answered in the end.
  private void publish(ScriptedClient client) {
    while (true) {
      while (over.getCount() > 0 && waiting.size() < WINDOW) {
        send(client);
      }
      if (waiting.isEmpty()) {
        return;
      }
      switch (client.next(ScriptedClient.PATIENCE)) {
        case StreamEvent.Received(XmlElement stanza) -> received(client, stanza);
        case StreamEvent.Opened opened -> {}
        case StreamEvent.Closed closed -> {
          return;
        }
        case StreamEvent.Gone gone -> {
          return;
        }
      }
    }
  }

  private void send(ScriptedClient client) {
    Request next = again.poll();
    if (next == null) {
      count++;
      next = new Request(login.jid() + "-" + count, count % 2 == 0, count % 4 < 2);
    }
    waiting.put(next.key, next);
    sent.add(next.key);
    client.send(next.xml(node));
  }

  private void received(ScriptedClient client, XmlElement stanza) {
    String id = String.valueOf(stanza.attribute("id"));
    if (stanza.localName().equals("message")) {
      XmlElement event = stanza.child("event");
      XmlElement items = event == null ? null : event.child("items");
      if (items != null) {
        items.children().forEach(item -> notified.add(item.childText("x")));
        if (!answered.isEmpty()) {
          seen.countDown();
        }
      }
    } else if (stanza.localName().equals("iq")) {
      Request request = waiting.remove(id);
      boolean done = "result".equals(stanza.attribute("type"));
      if (!done) {
        violations.add("refused: " + stanza);
      } else if (request != null) {
        answered.add(request.key);
        if (request.atService && !subscribed) {
          client.send(
              ("<iq type='set' id='%s' to='%s'><pubsub xmlns='%s'><subscribe node='%s' jid='%s'/>"
                      + "</pubsub></iq>")
                  .formatted(SUBSCRIBE, SERVICE, PUBSUB, node, bare()));
        }
      }
      subscribed |= done && id.equals(SUBSCRIBE);
    }
  }

  private String bare() {
    return login.jid().substring(0, login.jid().indexOf('/'));
  }

  /// Compares what there is with what is remembered; the server runs.
  ///
  /// @return what is wrong
  List<String> judge() throws IOException, InterruptedException {
    try (ScriptedClient client = connect()) {
      List<String> kept = new ArrayList<>();
      for (String place : List.of(bare(), SERVICE)) {
        kept.addAll(keptAt(client, place));
      }
      Set<String> unique = new LinkedHashSet<>(kept);
      if (unique.size() < kept.size()) {
        unique.forEach(kept::remove);
        violations.add("there several times: " + kept);
      }
      missing("answered", answered, unique);
      missing("notified", notified, unique);
      missing("there", unique, sent);
      if (subscribed
          && ask(client, SERVICE, "<subscriptions node='" + node + "'/>", "")
              .children()
              .getFirst()
              .children()
              .isEmpty()) {
        violations.add("the subscription that was answered is lost");
      }
    }
    return violations;
  }

  private void missing(String what, Set<String> keys, Set<String> known) {
    Set<String> missing = new LinkedHashSet<>(keys);
    missing.removeAll(known);
    if (!missing.isEmpty()) {
      violations.add(what + ", but lost or unknown: " + missing);
    }
  }

  /// The texts of all items of the node at an address, in pages.
  private List<String> keptAt(ScriptedClient client, String place) {
    List<String> keys = new ArrayList<>();
    Set<String> ids = new LinkedHashSet<>();
    @Nullable String last = null;
    int all;
    do {
      String set =
          "<set xmlns='http://jabber.org/protocol/rsm'><max>"
              + PAGE
              + "</max>"
              + (last == null ? "" : "<after>" + last + "</after>")
              + "</set>";
      XmlElement answer = ask(client, place, "<items node='" + node + "'/>", set);
      for (XmlElement item : Objects.requireNonNull(answer.child("items")).children()) {
        last = String.valueOf(item.attribute("id"));
        if (!ids.add(last)) {
          violations.add("an id is there several times: " + last);
        }
        String key = item.childText("x");
        keys.add(key);
      }
      all = Integer.parseInt(Objects.requireNonNull(answer.child("set")).childText("count"));
    } while (keys.size() < all && keys.size() % PAGE == 0);
    if (keys.size() != all) {
      violations.add("the node counts " + all + " items and has " + keys.size());
    }
    return keys;
  }

  private static XmlElement ask(ScriptedClient client, String to, String request, String set) {
    client.send(
        "<iq type='get' id='ask' to='%s'><pubsub xmlns='%s'>%s%s</pubsub></iq>"
            .formatted(to, PUBSUB, request, set));
    XmlElement answer = client.receiveFirst(each -> "ask".equals(each.attribute("id")));
    XmlElement pubsub = answer.child("pubsub");
    if (pubsub == null || !"result".equals(answer.attribute("type"))) {
      throw new AssertionError(request + " is refused: " + answer);
    }
    return pubsub;
  }

  int answered() {
    return answered.size();
  }

  int notified() {
    return notified.size();
  }
}
