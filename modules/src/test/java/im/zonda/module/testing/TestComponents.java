package im.zonda.module.testing;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.session.Home;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Stanza;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// External components that a test connects, and the requests that the server sends.
public final class TestComponents implements ExternalComponents {
  /// The domains of connected components.
  public final Set<Jid> connected = new HashSet<>();

  /// What was sent to every connection of a component.
  public final List<Stanza> sent = new ArrayList<>();

  /// A request, and what is to get its answer.
  public record Request(Iq iq, Jid requester, Consumer<Iq> answered) {}

  /// The requests, oldest first.
  public final List<Request> requests = new ArrayList<>();

  private @Nullable UnaryOperator<Iq> answers;

  TestComponents() {}

  /// Has requests answered at once.
  public void answerBy(UnaryOperator<Iq> answering) {
    answers = answering;
  }

  @Override
  public boolean isConnected(Jid domain) {
    return connected.contains(domain);
  }

  @Override
  public void sendToEachConnection(Stanza stanza) {
    sent.add(stanza);
  }

  @Override
  public void request(Iq request, Jid requester, Duration patience, Consumer<Iq> answered) {
    requests.add(new Request(request, requester, answered));
    if (answers != null) {
      answered.accept(answers.apply(request));
    }
  }

  @Override
  public @Nullable Jid requesterOf(Iq request) {
    return null;
  }

  @Override
  public void atLoadedHomes(Jid host, Consumer<Home> task) {}
}
