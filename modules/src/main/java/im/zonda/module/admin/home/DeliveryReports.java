package im.zonda.module.admin.home;

import im.zonda.hook.HookPoint;
import im.zonda.hook.Judgement;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.Addressee;
import im.zonda.module.ExternalComponents;
import im.zonda.module.IqReply;
import im.zonda.module.IqRequest;
import im.zonda.module.ModuleContext;
import im.zonda.session.Home;
import im.zonda.session.Session;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Describes what would become of a message at the home of an account, on whatever node of a
/// cluster that is, without sending one: what the filters say that have no effects, whether it
/// would be stored, and how the sessions are. Asked as [AccountTasks] asks.
public final class DeliveryReports {
  private static final String NAMESPACE = "urn:zonda:administration:0";
  private static final QName DELIVERY = new QName(NAMESPACE, "delivery");
  private static final QName BODY = new QName(Namespaces.CLIENT, "body");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ModuleContext context;

  /// A session.
  ///
  /// @param available whether it has sent available presence
  /// @param priority the priority of that
  /// @param asleep whether its client is inactive, or it has no stream
  /// @param progress how far it is with what it was sent
  public record SessionReport(
      String resource, boolean available, int priority, boolean asleep, Session.Progress progress) {
    /// Whether it gets messages to the bare address.
    public boolean receives() {
      return available && priority >= 0;
    }
  }

  /// What the home of an account says.
  ///
  /// @param exists whether there is such an account
  /// @param reason why its filters would stop the message, or null
  /// @param module the name of the module that would
  /// @param unasked the modules whose filters were not asked
  /// @param stored whether the log would keep the message
  public record Report(
      boolean exists,
      @Nullable Reason reason,
      @Nullable String module,
      List<String> unasked,
      boolean stored,
      List<SessionReport> sessions) {
    /// Copies the lists.
    public Report {
      unasked = List.copyOf(unasked);
      sessions = List.copyOf(sessions);
    }
  }

  public DeliveryReports(ModuleContext context) {
    this.context = context;
  }

  public void install() {
    context.onIq(Iq.Type.GET, DELIVERY, Addressee.OTHER_ACCOUNT, this::answer);
  }

  // ---- at the node where the operation runs

  /// Asks the home of an account of the host about a message between it and another address, and
  /// waits for the answer; null if there is none in time.
  ///
  /// @param sent whether the account is the sender
  public @Nullable Report ask(Jid account, Jid other, boolean sent) throws InterruptedException {
    Element payload =
        Element.builder(DELIVERY)
            .attribute("with", other.toString())
            .attribute("sent", sent ? "true" : null)
            .build();
    Iq request =
        Iq.of(Iq.Type.GET, context.domain(), account.bare(), context.ids().next(), payload);
    BlockingQueue<Iq> answers = new ArrayBlockingQueue<>(1);
    context
        .port(ExternalComponents.class)
        .request(request, context.domain(), PATIENCE, answers::add); // there is one answer
    Iq answer = answers.poll(PATIENCE.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
    Element delivery = answer == null || answer.isError() ? null : answer.payload();
    return delivery == null || !delivery.name().equals(DELIVERY) ? null : read(delivery);
  }

  private static Report read(Element delivery) {
    List<String> unasked = new ArrayList<>();
    List<SessionReport> sessions = new ArrayList<>();
    for (Element child : delivery.children()) {
      if (child.is(NAMESPACE, "unasked")) {
        unasked.add(text(child, "module"));
      } else if (child.is(NAMESPACE, "session")) {
        String since = child.attribute("since");
        sessions.add(
            new SessionReport(
                text(child, "resource"),
                child.attribute("priority") != null,
                number(child, "priority"),
                child.attribute("asleep") != null,
                new Session.Progress(
                    child.attribute("detached") != null,
                    number(child, "unacknowledged"),
                    since == null ? null : Instant.parse(since))));
      }
    }
    String reason = delivery.attribute("reason");
    return new Report(
        delivery.attribute("exists") != null,
        reason == null ? null : Objects.requireNonNullElse(Reason.of(reason), Reason.MODULE),
        delivery.attribute("module"),
        unasked,
        delivery.attribute("stored") != null,
        sessions);
  }

  private static String text(Element element, String name) {
    return Objects.requireNonNullElse(element.attribute(name), "");
  }

  private static int number(Element element, String name) {
    String text = element.attribute(name);
    return text == null ? 0 : Integer.parseInt(text);
  }

  // ---- at the home of the account

  private IqReply answer(IqRequest request) {
    String with = request.payload().attribute("with");
    if (!context.domain().equals(request.iq().from()) || with == null) {
      return IqReply.refuse(ErrorCondition.SERVICE_UNAVAILABLE);
    }
    Home home = request.home();
    Element.Builder delivery = Element.builder(DELIVERY);
    if (!home.exists()) {
      return IqReply.result(delivery.build());
    }
    boolean sent = request.payload().attribute("sent") != null;
    Jid other = Jid.stored(with);
    Message message =
        Message.of(
            Message.Type.CHAT,
            sent ? home.jid() : other,
            sent ? other : home.jid(),
            context.ids().next(),
            List.of(Element.text(BODY, "?")));
    HookPoint point = sent ? HookPoint.SENT_BY_CLIENT : HookPoint.ARRIVING;
    Judgement stopping = null;
    for (Judgement each : context.judge(home, message, point)) {
      stopping = stopping == null && each.reason() != null ? each : stopping;
      if (!each.asked()) {
        delivery.child(
            Element.builder(NAMESPACE, "unasked").attribute("module", each.module()).build());
      }
    }
    home.sessions().forEach(each -> delivery.child(describe(each)));
    Reason reason = stopping == null ? null : stopping.reason();
    return IqReply.result(
        delivery
            .attribute("exists", "true")
            .attribute("reason", reason == null ? null : reason.word())
            .attribute("module", stopping == null ? null : stopping.module())
            .attribute("stored", context.keep(home, message) == null ? null : "true")
            .build());
  }

  private static Element describe(Session session) {
    Session.Progress progress = session.progress();
    Instant since = progress.since();
    return Element.builder(NAMESPACE, "session")
        .attribute("resource", session.jid().resource())
        .attribute("priority", session.available() ? Integer.toString(session.priority()) : null)
        .attribute("asleep", session.isAsleep() ? "true" : null)
        .attribute("detached", progress.detached() ? "true" : null)
        .attribute("unacknowledged", Integer.toString(progress.unacknowledged()))
        .attribute("since", since == null ? null : since.toString())
        .build();
  }
}
