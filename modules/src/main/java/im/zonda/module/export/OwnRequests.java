package im.zonda.module.export;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Asks the home of an account, on whatever node of a cluster it is, what its own clients may ask.
record OwnRequests(ModuleContext context, Jid account) {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /// The payload of the result; null if there is none, or an error. Blocks.
  @Nullable Element get(Element payload) {
    BlockingQueue<Iq> answers = new ArrayBlockingQueue<>(1);
    Iq request = Iq.of(Iq.Type.GET, account, account, context.ids().next(), payload);
    context
        .port(ExternalComponents.class)
        .request(request, account, PATIENCE, answer -> answers.offer(answer));
    try {
      // The server answers itself when the time is over.
      Iq answer = answers.poll(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return answer == null || answer.type() != Iq.Type.RESULT ? null : answer.payload();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
