package im.zonda.module.push;

import im.zonda.config.Services.Push.Content;
import im.zonda.jid.Jid;
import im.zonda.journal.Journal;
import im.zonda.journal.Place;
import im.zonda.journal.Reason;
import im.zonda.module.ModuleContext;
import im.zonda.module.forms.DataForm;
import im.zonda.session.Home;
import im.zonda.session.HomeKey;
import im.zonda.session.Session;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Message;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sends notifications to push services (XEP-0357, section 7), at the rate that the limits permit.
/// Called at the homes of the accounts; does not block.
///
/// The request comes from the account's bare address: its answer finds the account's home, and the
/// account never has more rights at the service than its clients have.
final class Publishing {
  private static final String PUBSUB = "http://jabber.org/protocol/pubsub";
  private static final String SUMMARY = "urn:xmpp:push:summary";
  private static final QName NOTIFICATION = new QName(PushModule.NAMESPACE, "notification");

  /// The most characters of a message's text that are published.
  private static final int MOST_TEXT = 1_024;

  private final ModuleContext context;
  private final HomeKey<Registrations> key;
  private final PushMeters meters;

  Publishing(ModuleContext context, HomeKey<Registrations> key, PushMeters meters) {
    this.context = context;
    this.key = key;
    this.meters = meters;
  }

  private Content content() {
    return context.config().services().push().content();
  }

  /// Counts a message for a client that is asleep; [#publish] sends the notification.
  void add(PushState state, Message message) {
    context
        .port(Journal.class)
        .record(
            Journal.Entry.of(Place.PUSH, Reason.PUSHED, message)
                .withDetail(state.registration().service().toString()));
    state.add(message.from(), content() == Content.BODY ? text(message) : null);
  }

  /// The beginning of the text that everyone could read; of an encrypted message there is none.
  private static @Nullable String text(Message message) {
    String body = Notable.isEncrypted(message) ? null : Notable.body(message);
    if (body == null || body.length() <= MOST_TEXT) {
      return body;
    }
    boolean splits = Character.isHighSurrogate(body.charAt(MOST_TEXT - 1));
    return body.substring(0, splits ? MOST_TEXT - 1 : MOST_TEXT);
  }

  /// Sends what is due to one push service now, or as soon as it may be sent.
  void publish(Jid account, PushState state) {
    if (!state.isDue()) {
      return;
    }
    long now = context.clock().millis();
    int rate = context.config().limits().pushRate();
    long delay = state.delay(now, rate);
    if (delay > 0) {
      String registration = state.registration().key();
      state.wakeAt(
          context
              .scheduler()
              .schedule(
                  Duration.ofMillis(delay),
                  () -> context.atHome(account, home -> publishLate(home, registration))));
      return;
    }
    String id = context.ids().next();
    state.wakeAt(null);
    state.sent(id, now, rate);
    meters.sent.increment();
    context.send(
        Iq.of(Iq.Type.SET, account, state.registration().service(), id, request(state, content())));
  }

  private void publishLate(Home home, String registration) {
    PushState state = home.exists() ? home.state(key).get(registration) : null;
    if (state == null) {
      return;
    }
    if (isAwake(home, state.registration())) {
      state.reset();
    } else {
      publish(home.jid(), state);
    }
  }

  /// Whether the client of a registration has a session that is awake.
  static boolean isAwake(Home home, Registration registration) {
    for (Session session : home.sessions()) {
      if (registration.isOf(session) && !session.isAsleep()) {
        return true;
      }
    }
    return false;
  }

  private static Element request(PushState state, Content content) {
    Registration registration = state.registration();
    Element.Builder notification = Element.builder(NOTIFICATION);
    if (content != Content.NONE) {
      notification.child(summary(state, content));
    }
    Element item = Element.builder(PUBSUB, "item").child(notification.build()).build();
    Element.Builder pubsub =
        Element.builder(PUBSUB, "pubsub")
            .child(
                Element.builder(PUBSUB, "publish")
                    .attribute("node", registration.node())
                    .child(item)
                    .build());
    if (registration.options() != null) {
      pubsub.child(
          Element.builder(PUBSUB, "publish-options").child(registration.options()).build());
    }
    return pubsub.build();
  }

  /// Section 12.3. The number is that of the messages since the client was last awake.
  private static Element summary(PushState state, Content content) {
    DataForm.Builder form =
        DataForm.builder("submit", SUMMARY)
            .text("message-count", "", Integer.toString(state.count()));
    Jid sender = content == Content.COUNT ? null : state.sender();
    if (sender != null) {
      form.field("last-message-sender", "jid-single", null, List.of(sender.toString()), Map.of());
    }
    if (content == Content.BODY && state.body() != null) {
      form.text("last-message-body", "", state.body());
    }
    return form.build().toElement();
  }
}
