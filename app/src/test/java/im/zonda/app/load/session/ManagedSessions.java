package im.zonda.app.load.session;

import im.zonda.app.load.client.ConcurrentSteps;
import im.zonda.app.load.client.LoadClient;
import im.zonda.app.load.client.ManagedLoadClient;
import im.zonda.app.load.options.ManagedOptions;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/// Sessions of the accounts `s0`, `s1`…, or of as many from another number, that log in, lose their
/// connections and resume.
final class ManagedSessions implements AutoCloseable {
  /// A session and its resumption id.
  private record Session(String id, ManagedLoadClient client) {}

  private final ManagedOptions options;
  private final Map<String, byte[]> passwords;
  private final ConcurrentSteps crowd;
  private final AtomicReferenceArray<Session> sessions;
  private final AtomicLong messages = new AtomicLong();

  ManagedSessions(ManagedOptions options, Map<String, byte[]> passwords) {
    this.options = options;
    this.passwords = passwords;
    this.crowd = new ConcurrentSteps(options.sessions(), options.concurrency());
    this.sessions = new AtomicReferenceArray<>(options.sessions());
  }

  /// Logs all clients in, with resumable sessions, and sends presence.
  ConcurrentSteps.Outcome logIn() {
    return crowd.all(number ->
        with(
            number,
            client -> {
              client.bind("load");
              String id = client.enable(true);
              ManagedLoadClient managed = new ManagedLoadClient(client, new Counting());
              sessions.set(number, new Session(id, managed.listen().available()));
            }));
  }

  /// Authenticates all clients without binding: the part that login and resumption have in common.
  ConcurrentSteps.Outcome authenticate() {
    return crowd.all(number -> with(number, LoadClient::close));
  }

  /// Resumes all sessions.
  ConcurrentSteps.Outcome resume() {
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
            ManagedLoadClient managed = session.client().resumedOn(client, handled);
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
      rest.with(client.authenticate("s" + (options.first() + number), passwords));
    } catch (IOException e) {
      client.cut();
      throw e;
    }
  }

  /// Stops answering the server's requests for acknowledgement.
  void answerNothing() {
    each(ManagedLoadClient::answerNothing);
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
    each(ManagedLoadClient::close);
  }

  @Override
  public void close() {
    leave();
  }

  private void each(Consumer<ManagedLoadClient> action) {
    for (int i = 0; i < sessions.length(); i++) {
      Session session = sessions.get(i);
      if (session != null) {
        action.accept(session.client());
      }
    }
  }

  private final class Counting implements ManagedLoadClient.Times {
    @Override
    public void arrived(long due) {
      messages.incrementAndGet();
    }

    @Override
    public void acknowledged(long due) {}
  }
}
