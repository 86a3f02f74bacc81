package im.zonda.stream;

import im.zonda.jid.Jid;
import im.zonda.router.Outbound;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Stanza;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A server behind streams that binds at once and hands stanzas from one session to the other.
public final class FakeGate implements SessionGate {
  /// What happened, in words.
  public final List<String> events = Collections.synchronizedList(new ArrayList<>());

  /// All stanzas received.
  public final List<Stanza> received = Collections.synchronizedList(new ArrayList<>());

  /// The ways out of bound sessions.
  public final ConcurrentMap<Jid, Outbound> sessions = new ConcurrentHashMap<>();

  /// Told of every stanza, on the stream's thread.
  public volatile Consumer<Stanza> onReceived = stanza -> {};

  /// If set, binds are refused with it.
  public volatile @Nullable ErrorCondition refusal;

  /// If set, binds are kept here until the test answers.
  public volatile @Nullable List<Runnable> held;

  /// The way out of a bound session of `romeo@example.org`.
  public Outbound session(String resource) {
    return Objects.requireNonNull(sessions.get(StreamFixture.ROMEO.withResource(resource)));
  }

  @Override
  public void bind(Jid account, @Nullable String resource, Outbound outbound, Binding binding) {
    Runnable answer = () -> answer(account, resource, outbound, binding);
    List<Runnable> waiting = held;
    if (waiting == null) {
      answer.run();
    } else {
      waiting.add(answer);
    }
  }

  private void answer(Jid account, @Nullable String resource, Outbound outbound, Binding binding) {
    ErrorCondition condition = refusal;
    if (condition != null) {
      events.add("refused " + account);
      binding.refused(condition);
      return;
    }
    Jid jid = account.withResource(resource == null ? "made" : resource);
    sessions.put(jid, outbound);
    events.add("bound " + jid);
    binding.bound(
        new BoundSession() {
          @Override
          public Jid jid() {
            return jid;
          }

          @Override
          public void received(Stanza stanza) {
            received.add(stanza);
            onReceived.accept(stanza);
            Jid to = stanza.to();
            Outbound other = to == null ? null : sessions.get(to);
            if (other != null) {
              other.send(stanza.withAddresses(jid, to), null);
            }
          }

          @Override
          public void ended() {
            sessions.remove(jid, outbound);
            events.add("ended " + jid);
          }
        });
  }
}
