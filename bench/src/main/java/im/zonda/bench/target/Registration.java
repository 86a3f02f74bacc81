package im.zonda.bench.target;

import im.zonda.bench.load.Plan;
import im.zonda.bench.xmpp.ClientLoops;
import im.zonda.bench.xmpp.ElementListener;
import im.zonda.bench.xmpp.Endpoint;
import im.zonda.bench.xmpp.Login;
import im.zonda.bench.xmpp.XmppClient;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Makes the accounts of a plan over connections of clients, as any server allows that has in-band
/// registration (XEP-0077): the accounts, then vCards and requests for subscriptions, then their
/// approvals.
final class Registration {
  private static final String PASSWORD = "secret";
  private static final int AT_A_TIME = 20;
  private static final int MINUTES = 2;

  private final Endpoint endpoint;

  Registration(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  /// A step for one account.
  private interface Step {
    CompletableFuture<?> take(int user);
  }

  /// Makes them; those that are there already are left as they are.
  ///
  /// @throws IOException if the server refuses one
  void register(Plan plan) throws IOException {
    try (ClientLoops loops = ClientLoops.open(1)) {
      forAll(
          plan.accounts(),
          user -> XmppClient.register(loops, endpoint, user, "u" + user, PASSWORD));
      if (plan.contacts() > 0 || plan.vcards()) {
        forAll(plan.accounts(), user -> describe(loops, user, plan));
      }
      if (plan.contacts() > 0) {
        forAll(plan.accounts(), user -> presence(loops, user, plan, "subscribed"));
      }
    }
  }

  /// The contacts of an account: its neighbours on a ring, half of them on each side.
  static Set<Integer> contacts(int user, int accounts, int wanted) {
    Set<Integer> contacts = new TreeSet<>();
    int most = Math.min(wanted, accounts - 1);
    for (int distance = 1; contacts.size() < most; distance++) {
      contacts.add(Math.floorMod(user + distance, accounts));
      contacts.add(Math.floorMod(user - distance, accounts));
    }
    return contacts;
  }

  private CompletableFuture<?> describe(ClientLoops loops, int user, Plan plan) {
    return withClient(
        loops,
        user,
        client -> {
          if (plan.vcards()) {
            var _ =
                client.iq(
                    "set",
                    "",
                    "<vCard xmlns='vcard-temp'><FN>User "
                        + user
                        + "</FN><NICKNAME>u"
                        + user
                        + "</NICKNAME><EMAIL><INTERNET/><USERID>u"
                        + user
                        + "@example.com</USERID></EMAIL><TITLE>Tester</TITLE></vCard>");
          }
          send(client, user, plan, "subscribe");
        });
  }

  private CompletableFuture<?> presence(ClientLoops loops, int user, Plan plan, String type) {
    return withClient(loops, user, client -> send(client, user, plan, type));
  }

  private void send(XmppClient client, int user, Plan plan, String type) {
    StringBuilder all = new StringBuilder();
    for (int contact : contacts(user, plan.accounts(), plan.contacts())) {
      all.append("<presence type='").append(type).append("' to='u").append(contact);
      all.append('@').append(endpoint.domain()).append("'/>");
    }
    if (!all.isEmpty()) {
      client.send(all.toString());
    }
  }

  private interface Action {
    void run(XmppClient client);
  }

  /// Logs in, acts, and ends the session when the server has answered a request behind all of that.
  private CompletableFuture<?> withClient(ClientLoops loops, int user, Action action) {
    Login login = Login.of("u" + user, PASSWORD).with(Login.Mechanism.PLAIN).withoutPresence();
    return XmppClient.login(loops, endpoint, user, login, ElementListener.NONE)
        .thenCompose(client -> {
          action.run(client);
          return client
              .iq("get", "", "<query xmlns='jabber:iq:roster'/>")
              .whenComplete((_, _) -> client.close());
        });
  }

  private static void forAll(int count, Step step) throws IOException {
    Semaphore free = new Semaphore(AT_A_TIME);
    AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    for (int user = 0; user < count && failed.get() == null; user++) {
      acquire(free, 1);
      var _ =
          step.take(user)
              .whenComplete((_, failure) -> {
                if (failure != null) {
                  failed.compareAndSet(null, failure);
                }
                free.release();
              });
    }
    acquire(free, AT_A_TIME);
    Throwable failure = failed.get();
    if (failure != null) {
      throw new IOException("an account could not be made: " + failure.getMessage(), failure);
    }
  }

  private static void acquire(Semaphore free, int permits) throws IOException {
    try {
      if (!free.tryAcquire(permits, MINUTES, TimeUnit.MINUTES)) {
        throw new IOException("no account could be made in " + MINUTES + " minutes");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while accounts were made", e);
    }
  }
}
