package im.zonda.module.contact;

import im.zonda.jid.Jid;
import im.zonda.jid.JidFormatException;
import im.zonda.module.ExternalComponents;
import im.zonda.module.ModuleContext;
import im.zonda.stanza.Iq;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Which other domains may be named, because they advertise that they publish their own connections
/// (XEP-0485, section 7). They are asked once an hour; one that does not answer is not named. Any
/// thread may call.
final class Consents {
  private static final QName INFO = new QName("http://jabber.org/protocol/disco#info", "query");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration VALID = Duration.ofHours(1);

  /// Domains that are asked at a time; others are asked in the next round.
  private static final int MOST_ASKED = 50;

  /// What a domain has said.
  private record Answer(boolean consents, Instant until) {}

  private final ModuleContext context;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  Consents(ModuleContext context) {
    this.context = context;
  }

  /// Whether a domain may be named.
  boolean has(String domain) {
    Answer answer = answers.get(domain);
    return answer != null && answer.consents;
  }

  /// Asks those of the domains whose answer is not known or too old, and forgets all others.
  ///
  /// @param changed runs when all have answered, if something has changed; must not block
  void ask(Set<String> domains, Runnable changed) {
    answers.keySet().retainAll(domains);
    Instant now = context.clock().instant();
    List<String> asked =
        domains.stream()
            .filter(domain -> {
              Answer answer = answers.get(domain);
              return answer == null || !answer.until.isAfter(now);
            })
            .limit(MOST_ASKED)
            .toList();
    AtomicInteger missing = new AtomicInteger(asked.size());
    AtomicInteger changes = new AtomicInteger();
    for (String domain : asked) {
      ask(
          domain,
          consents -> {
            boolean before = has(domain);
            answers.put(domain, new Answer(consents, now.plus(VALID)));
            if (before != consents) {
              changes.incrementAndGet();
            }
            if (missing.decrementAndGet() == 0 && changes.get() > 0) {
              changed.run();
            }
          });
    }
  }

  /// Gets an answer.
  private interface Receiver {
    void answered(boolean consents);
  }

  private void ask(String domain, Receiver receiver) {
    Jid to;
    try {
      to = Jid.of(null, domain, null);
    } catch (JidFormatException e) {
      receiver.answered(false);
      return;
    }
    Iq request = Iq.of(Iq.Type.GET, context.domain(), to, context.ids().next(), Element.of(INFO));
    context
        .port(ExternalComponents.class)
        .request(
            request, context.domain(), PATIENCE, answer -> receiver.answered(consents(answer)));
  }

  private static boolean consents(Iq answer) {
    Element info = answer.type() == Iq.Type.RESULT ? answer.payload() : null;
    return info != null
        && info.name().equals(INFO)
        && info.children().stream()
            .anyMatch(each ->
                each.is(INFO.namespace(), "feature")
                    && ServerInfo.NAMESPACE.equals(each.attribute("var")));
  }
}
