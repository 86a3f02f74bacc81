package im.zonda.bench.load;

import im.zonda.bench.xmpp.ElementListener;
import im.zonda.bench.xmpp.Endpoint;
import im.zonda.bench.xmpp.Failures;
import im.zonda.bench.xmpp.Login;
import im.zonda.bench.xmpp.XmppClient;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Logs in the clients of this process, some at a time, before a load begins.
public final class LoginRamp {
  /// The counter of clients that have logged in.
  public static final String ONLINE = "online";

  private static final int LOGOUT_SECONDS = 5;
  private static final int LOGOUTS_A_SECOND = 500;
  private static final int USUAL_AT_A_TIME = 40;

  private final Load load;
  private final int atATime;
  private final IntFunction<Endpoint> endpoint;

  /// @param atATime how many clients log in at the same time
  public LoginRamp(Load load, int atATime) {
    this(load, atATime, load::endpoint);
  }

  /// @param endpoint where a client connects
  public LoginRamp(Load load, int atATime, IntFunction<Endpoint> endpoint) {
    this.load = load;
    this.atATime = atATime;
    this.endpoint = endpoint;
  }

  /// A ramp that is gentle to the server.
  public static LoginRamp of(Load load) {
    return new LoginRamp(load, USUAL_AT_A_TIME);
  }

  /// Logs in as user `uN` with the password and the mechanism of the run.
  public static Login user(Load load, int client) {
    return Login.of("u" + client, load.password())
        .with(Login.Mechanism.of(load.options().text("mechanism")));
  }

  /// Logs in those clients of `0` to `count` that are this process's.
  ///
  /// @param login how a client logs in
  /// @param listener what a client does with stanzas
  /// @return the clients by number
  /// @throws IOException if one of them is not let in
  public Map<Integer, XmppClient> login(
      int count, IntFunction<Login> login, IntFunction<ElementListener> listener)
      throws IOException, InterruptedException {
    return login(0, count, login, listener);
  }

  /// Logs in those clients of `from` to `to`, exclusive, that are this process's.
  ///
  /// @throws IOException if one of them is not let in
  public Map<Integer, XmppClient> login(
      int from, int to, IntFunction<Login> login, IntFunction<ElementListener> listener)
      throws IOException, InterruptedException {
    Map<Integer, XmppClient> clients = new ConcurrentSkipListMap<>();
    List<Integer> mine = IntStream.range(from, to).filter(load::isMine).boxed().toList();
    try {
      new Ramp(load, atATime)
          .each(
              mine,
              to - from,
              "clients log in",
              client ->
                  login(client, login.apply(client), listener.apply(client))
                      .thenAccept(online -> clients.put(client, online)));
    } catch (IOException e) {
      clients.values().forEach(XmppClient::cut);
      Throwable cause = e.getCause();
      throw cause == null
          ? e
          : new IOException("a client could not log in: " + Failures.describe(cause), cause);
    }
    return clients;
  }

  private CompletableFuture<XmppClient> login(int client, Login login, ElementListener listener) {
    long due = System.nanoTime();
    return XmppClient.login(load.loops(), endpoint.apply(client), client, login, listener)
        .thenApply(online -> {
          load.latencies().recordAlways(Latencies.LOGIN, due, System.nanoTime());
          load.counters().add(ONLINE, 1);
          return online;
        });
  }

  /// Closes all streams, and waits some seconds for their ends.
  public static void logout(Collection<XmppClient> clients) {
    clients.forEach(XmppClient::close);
    CompletableFuture<?>[] ends =
        clients.stream().map(XmppClient::ended).toArray(CompletableFuture[]::new);
    try {
      int seconds = LOGOUT_SECONDS + clients.size() / LOGOUTS_A_SECOND;
      var _ = CompletableFuture.allOf(ends).get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      clients.forEach(XmppClient::cut);
    } catch (ExecutionException e) {
      throw new IllegalStateException("an end never fails", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
