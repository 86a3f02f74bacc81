package im.zonda.web.account;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IdSource;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Requests that are routed to the account's home, on whatever node it is.
///
/// @param server sends them and waits for answers
/// @param ids identifiers of requests
record RoutedRequests(ExternalComponents server, IdSource ids) implements HomeRequests {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Override
  public Iq ask(Jid account, Iq.Type type, Element payload) {
    Iq request = Iq.of(type, account, account, ids.next(), payload);
    CompletableFuture<Iq> answer = new CompletableFuture<>();
    server.request(request, account, PATIENCE, answer::complete);
    try {
      // The server answers itself when the time is over.
      return answer.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (TimeoutException e) {
      // Answered below.
    }
    return Iq.error(request, StanzaError.of(ErrorCondition.REMOTE_SERVER_TIMEOUT));
  }
}
