package im.zonda.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.app.StandardModules;
import im.zonda.cluster.Member;
import im.zonda.store.MessageLog;
import im.zonda.store.Stores;
import im.zonda.testkit.client.Login;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestCluster;
import im.zonda.testkit.server.TestServer;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A node dies before it has written to the log which messages a client has acknowledged.
@Timeout(60)
class UnwrittenMarksTest {
  private static final String SM = "urn:xmpp:sm:3";
  private static final String JULIET = "juliet@example.org";
  private static final String ROMEO = "romeo@example.org";

  /// Half of it is on its way to a session that reads the log.
  private static final int UNACKNOWLEDGED = 16;

  /// More than that.
  private static final int MESSAGES = 10;

  /// One of a session without a stream, three of one that has one.
  private static final int PARTS = 4;

  private volatile boolean writes = true;

  private Stores withoutMarks(Stores stores) {
    MessageLog real = stores.messages();
    MessageLog log = proxy(MessageLog.class, (method, arguments) -> log(real, method, arguments));
    return proxy(
        Stores.class,
        (method, arguments) ->
            method.getName().equals("messages") ? log : call(stores, method, arguments));
  }

  private @Nullable Object log(Object real, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (!writes && method.getName().equals("delivered")) {
      return null;
    }
    Object result = call(real, method, arguments);
    return result instanceof MessageLog.Receipt receipt
        ? proxy(
            MessageLog.Receipt.class,
            (called, its) ->
                !writes && called.getName().equals("delivered") ? null : call(receipt, called, its))
        : result;
  }

  private interface Calls {
    @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Calls calls) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> calls.call(method, arguments)));
  }

  private static @Nullable Object call(Object real, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static String manage(ScriptedClient client) {
    client.send("<enable xmlns='" + SM + "' resume='true'/>");
    XmlElement enabled = client.receiveFirst(e -> e.is(SM, "enabled"));
    client.send("<presence/>");
    client.receiveFirst(e -> e.localName().equals("presence"));
    return Objects.requireNonNull(enabled.attribute("id"));
  }

  private static void chat(ScriptedClient client, int number) {
    client.send("<message type='chat' to='%s'><body>%d</body></message>".formatted(JULIET, number));
  }

  private static void await(ScriptedClient client, int first, int last) {
    for (int i = first; i <= last; i++) {
      XmlElement message = client.receiveFirst(e -> e.child("body") != null);
      assertThat(message.childText("body")).isEqualTo("" + i);
    }
  }

  /// It reads the log because another client of the account has gone, and is copied meanwhile.
  @Test
  void aClientIsNotSentAgainWhatItHas() throws IOException {
    ServerPlan plan =
        ServerPlan.of(StandardModules::create)
            .withStores(this::withoutMarks)
            .with("limits.unacknowledgedStanzas", UNACKNOWLEDGED);
    try (TestCluster cluster = TestCluster.start(plan, 3)) {
      Member home = cluster.homeOf(JULIET);
      List<Member> members = cluster.members();
      Member third = members.get((members.indexOf(home) + 2) % members.size());
      ScriptedClient romeo = cluster.server(third).connect(ROMEO + "/orchard");
      ScriptedClient garden = cluster.server(home).connect(JULIET + "/garden");
      manage(garden);
      for (int i = 1; i <= MESSAGES; i++) {
        chat(romeo, i);
      }
      await(garden, 1, MESSAGES);
      ScriptedClient balcony = cluster.server(home).connect(JULIET + "/balcony");
      String id = manage(balcony);
      balcony.receiveFirst(e -> e.localName().equals("presence"));
      writes = false;
      chat(romeo, MESSAGES + 1);
      await(balcony, MESSAGES + 1, MESSAGES + 1);
      balcony.send("<a xmlns='" + SM + "' h='3'/>");
      balcony.fence("acknowledged", JULIET);
      garden.drop();
      await(balcony, 1, UNACKNOWLEDGED / 2);
      cluster.awaitCopies(PARTS);
      cluster.kill(home);
      writes = true;
      Login login = Login.of(JULIET, TestServer.PASSWORD);
      try (ScriptedClient again =
          cluster.server(third).connected(login.security(), login.domain()).negotiate(login)) {
        again.send("<resume xmlns='" + SM + "' previd='" + id + "' h='4'/>");
        again.receiveFirst(e -> e.is(SM, "resumed"));
        await(again, 1, MESSAGES);
        chat(romeo, MESSAGES + 2);
        await(again, MESSAGES + 2, MESSAGES + 2);
      } finally {
        romeo.close();
        garden.close();
        balcony.close();
      }
    }
  }

  /// Its stream has resumed the session and brought it nothing since, so it does not know the last
  /// message that the client has.
  @Test
  void aClientThatHasJustResumedIsNotSentAgainWhatItHas() throws IOException {
    ServerPlan plan = ServerPlan.of(StandardModules::create).withStores(this::withoutMarks);
    try (TestCluster cluster = TestCluster.start(plan, 3)) {
      Member home = cluster.homeOf(JULIET);
      List<Member> members = cluster.members();
      Member third = members.get((members.indexOf(home) + 2) % members.size());
      ScriptedClient romeo = cluster.server(third).connect(ROMEO + "/orchard");
      ScriptedClient before = cluster.server(third).connect(JULIET + "/balcony");
      String id = manage(before);
      writes = false;
      for (int i = 1; i <= MESSAGES; i++) {
        chat(romeo, i);
      }
      await(before, 1, MESSAGES);
      int received = 1 + MESSAGES; // the presence, too
      before.send("<a xmlns='" + SM + "' h='" + received + "'/>");
      before.fence("acknowledged", JULIET);
      before.drop();
      Login login = Login.of(JULIET, TestServer.PASSWORD);
      try (ScriptedClient again =
          cluster.server(third).connected(login.security(), login.domain()).negotiate(login)) {
        again.send("<resume xmlns='" + SM + "' previd='" + id + "' h='" + (received + 1) + "'/>");
        again.receiveFirst(e -> e.is(SM, "resumed"));
        again.fence("resumed", JULIET);
        cluster.kill(home);
        writes = true;
        chat(romeo, MESSAGES + 1);
        await(again, MESSAGES + 1, MESSAGES + 1);
      } finally {
        romeo.close();
        before.close();
      }
    }
  }
}
