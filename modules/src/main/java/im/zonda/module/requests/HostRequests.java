package im.zonda.module.requests;

import im.zonda.jid.Jid;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.operation.Outcome;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Requests of a host to addresses of this server, for the actions of operations. They are handled
/// at the home of the address, on whatever node of a cluster that is. No client can send them, as
/// their `from` is the host's domain.
///
/// @param context of a module that has the port [ExternalComponents]
public record HostRequests(ModuleContext context) {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");

  /// What was answered.
  public sealed interface Answer {
    /// A result.
    ///
    /// @param payload of the result, or null
    record Result(@Nullable Element payload) implements Answer {}

    /// An error.
    ///
    /// @param text for people, without a full stop; null if there is none
    record Refusal(ErrorCondition condition, @Nullable String text) implements Answer {
      /// The outcome of an operation that needed the result.
      ///
      /// @param what the address, which begins the sentence if the error has no text
      public <R extends Record> Outcome<R> outcome(Object what) {
        Outcome.Reason reason =
            switch (condition) {
              case ITEM_NOT_FOUND, GONE -> Outcome.Reason.NOT_FOUND;
              case CONFLICT, NOT_ALLOWED, FORBIDDEN, NOT_AUTHORIZED, UNEXPECTED_REQUEST ->
                  Outcome.Reason.CONFLICT;
              case BAD_REQUEST, NOT_ACCEPTABLE, JID_MALFORMED -> Outcome.Reason.INVALID;
              case RESOURCE_CONSTRAINT, POLICY_VIOLATION -> Outcome.Reason.TOO_MANY;
              case FEATURE_NOT_IMPLEMENTED -> Outcome.Reason.NOT_APPLICABLE;
              case RECIPIENT_UNAVAILABLE,
                  REDIRECT,
                  REGISTRATION_REQUIRED,
                  REMOTE_SERVER_NOT_FOUND,
                  REMOTE_SERVER_TIMEOUT,
                  SERVICE_UNAVAILABLE,
                  SUBSCRIPTION_REQUIRED ->
                  Outcome.Reason.UNAVAILABLE;
              case INTERNAL_SERVER_ERROR, UNDEFINED_CONDITION -> Outcome.Reason.FAILED;
            };
        return Outcome.refused(reason, sentence(what, reason));
      }

      private String sentence(Object what, Outcome.Reason reason) {
        if (text != null && !text.isEmpty()) {
          return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
        }
        return reason == Outcome.Reason.NOT_FOUND
            ? "There is no " + what + "."
            : what + " answers: " + condition.elementName() + ".";
      }
    }
  }

  /// Sends a request that changes nothing. Blocks.
  public Answer get(Jid to, Element payload) throws InterruptedException {
    return ask(Iq.Type.GET, to, payload);
  }

  /// Sends a request that changes something. Blocks.
  public Answer set(Jid to, Element payload) throws InterruptedException {
    return ask(Iq.Type.SET, to, payload);
  }

  private Answer ask(Iq.Type type, Jid to, Element payload) throws InterruptedException {
    BlockingQueue<Iq> answers = new ArrayBlockingQueue<>(1);
    Iq request = Iq.of(type, context.domain(), to, context.ids().next(), payload);
    context
        .port(ExternalComponents.class)
        .request(request, context.domain(), PATIENCE, answer -> answers.offer(answer));
    // The server answers itself when the time is over.
    Iq answer = answers.poll(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (answer == null) {
      return new Answer.Refusal(ErrorCondition.REMOTE_SERVER_TIMEOUT, null);
    }
    return answer.isError() ? refusal(answer) : new Answer.Result(answer.payload());
  }

  private static Answer.Refusal refusal(Iq answer) {
    Element error = answer.payload(ERROR);
    ErrorCondition condition = ErrorCondition.UNDEFINED_CONDITION;
    String text = null;
    if (error != null) {
      for (Element child : error.children()) {
        if (!child.name().namespace().equals(Namespaces.STANZA_ERRORS)) {
          continue;
        }
        ErrorCondition known = ErrorCondition.ofElementName(child.name().name());
        condition = known == null ? condition : known;
        text = child.name().name().equals("text") ? child.text() : text;
      }
    }
    return new Answer.Refusal(condition, text);
  }
}
