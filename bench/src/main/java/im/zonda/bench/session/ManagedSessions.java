package im.zonda.bench.session;

import im.zonda.bench.client.Crowd;
import im.zonda.bench.client.LoadClient;
import im.zonda.bench.client.ManagedClient;
import im.zonda.bench.options.ManagedOptions;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/// Sessions of the accounts `s0`, `s1`… that log in, lose their connections and resume.
final class ManagedSessions implements AutoCloseable {
  /// A session and its resumption id.
  private record Session(String id, ManagedClient client) {}

  private final ManagedOptions options;
  private final Map<String, byte[]> passwords;
  private final Crowd crowd;
  private final AtomicReferenceArray<Session> sessions;
  private final AtomicLong messages = new AtomicLong();

  ManagedSessions(ManagedOptions options, Map<String, byte[]> passwords) {
    this.options = options;
    this.passwords = passwords;
    this.crowd = new Crowd(options.sessions(), options.concurrency());
    this.sessions = new AtomicReferenceArray<>(options.sessions());
  }

  /// Logs all clients in, with resumable sessions, and sends presence.
  Crowd.Outcome logIn() {
    return crowd.all(number ->
        with(
            number,
            client -> {
              client.bind("load");
              String id = client.enable(true);
              ManagedClient managed = new ManagedClient(client, new Counting());
              sessions.set(number, new Session(id, managed.listen().available()));
            }));
  }

  /// Authenticates all clients without binding: the part that login and resumption have in common.
  Crowd.Outcome authenticate() {
    return crowd.all(number -> with(number, LoadClient::close));
  }

  /// Resumes all sessions.
  Crowd.Outcome resume() {
    return crowd.all(number -> {
      Session session = sessions.get(number);
      if (session == null) {
        throw new IOException("never logged in");
      }
      session.client().client().awaitEnd();
      with(
          number,
          client -> {
            long handled = client.resume(session.id(), session.client().received());
            ManagedClient managed = session.client().resumedOn(client, handled);
            sessions.set(number, new Session(session.id(), managed.listen()));
          });
    });
  }

  private interface Rest {
    void with(LoadClient client) throws IOException;
  }

  private void with(int number, Rest rest) throws IOException {
    LoadClient client = LoadClient.connect(options.load());
    try {
      rest.with(client.authenticate("s" + number, passwords));
    } catch (IOException e) {
      client.cut();
      throw e;
    }
  }

  /// Stops answering the server's requests for acknowledgement.
  void answerNothing() {
    each(ManagedClient::answerNothing);
  }

  /// Number of stamped messages received by all sessions.
  long messages() {
    return messages.get();
  }

  /// Resets all connections.
  void cut() {
    each(client -> client.client().cut());
  }

  /// Closes all streams.
  void leave() {
    each(ManagedClient::close);
  }

  @Override
  public void close() {
    leave();
  }

  private void each(Consumer<ManagedClient> action) {
    for (int i = 0; i < sessions.length(); i++) {
      Session session = sessions.get(i);
      if (session != null) {
        action.accept(session.client());
      }
    }
  }

  private final class Counting implements ManagedClient.Times {
    @Override
    public void arrived(long due) {
      messages.incrementAndGet();
    }

    @Override
    public void acknowledged(long due) {}
  }
}
