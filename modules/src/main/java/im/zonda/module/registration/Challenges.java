package im.zonda.module.registration;

import im.zonda.config.ServerConfig.Registration;
import im.zonda.module.IdSource;
import im.zonda.module.IqReply;
import im.zonda.module.ModuleContext;
import im.zonda.module.UnauthenticatedHandler.Client;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.ErrorType;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import java.net.InetAddress;
import java.text.Normalizer;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the question of a host and judges the answers (XEP-0158, section 3.1.4).
final class Challenges {
  private static final Logger log = LoggerFactory.getLogger(Challenges.class);
  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final String question;
  private final Set<String> answers;
  private final IdSource ids;
  private final AnswerThrottle throttle;

  private Challenges(Registration settings, ModuleContext context) {
    question = settings.question();
    answers = settings.answers().stream().map(Challenges::normalize).collect(Collectors.toSet());
    ids = context.ids();
    throttle = new AnswerThrottle(context.clock());
  }

  /// The challenges of a host; null if it asks nothing.
  static @Nullable Challenges of(ModuleContext context) {
    Registration settings = context.config().registration();
    return settings.question().isBlank() ? null : new Challenges(settings, context);
  }

  /// Asks a client, in place of what it was asked before.
  Challenge ask(Iq request, Client client) {
    Challenge challenge = new Challenge(ids.next(), request.id(), question);
    client.keep(Challenge.class, challenge);
    return challenge;
  }

  /// Judges the answer of a client; null if it is right, otherwise the error for the client.
  @Nullable IqReply judge(RegistrationForm form, Client client) {
    Challenge asked = client.get(Challenge.class);
    if (form.answer() == null) {
      return IqReply.refuse(
          ErrorCondition.NOT_ACCEPTABLE, "Request the registration form and answer its question.");
    }
    if (asked == null || !asked.id().equals(form.challenge())) {
      return IqReply.refuse(
          ErrorCondition.SERVICE_UNAVAILABLE, "Request the registration form again.");
    }
    return judge(form.answer(), client.address());
  }

  /// The text of the question.
  String question() {
    return question;
  }

  /// Judges an answer that came from an address; null if it is right, otherwise the error.
  @Nullable IqReply judge(String answer, InetAddress address) {
    boolean right = answers.contains(normalize(answer));
    Duration wait = throttle.judge(address, right);
    if (!wait.isZero()) {
      return IqReply.refuse(
          ErrorCondition.RESOURCE_CONSTRAINT,
          "A wrong answer was given. Try again in " + seconds(wait) + " seconds.");
    }
    if (right) {
      return null;
    }
    log.atInfo().addKeyValue("address", address.getHostAddress()).log("registration_answer_wrong");
    return new IqReply.Refuse(
        new StanzaError(
            ErrorCondition.NOT_ACCEPTABLE, ErrorType.CANCEL, "The answer is wrong.", null));
  }

  private static long seconds(Duration wait) {
    return Math.max(1, wait.plusMillis(999).toSeconds());
  }

  private static String normalize(String answer) {
    String compatible = Normalizer.normalize(answer, Normalizer.Form.NFKC);
    return SPACES.matcher(compatible).replaceAll("").toLowerCase(Locale.ROOT);
  }
}
