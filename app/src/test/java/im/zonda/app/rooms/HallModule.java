package im.zonda.app.rooms;

import im.zonda.hook.Phase;
import im.zonda.hook.RoomListener;
import im.zonda.hook.RoomMessageFilter;
import im.zonda.hook.Verdict;
import im.zonda.jid.Jid;
import im.zonda.journal.Reason;
import im.zonda.module.ModuleContext;
import im.zonda.module.XmppModule;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Message;
import im.zonda.stanza.StanzaError;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Filters and observes rooms: what a message says tells what is to be done with it.
final class HallModule implements XmppModule {
  private static final QName BODY = new QName("jabber:client", "body");
  private static final QName SUBJECT = new QName("jabber:client", "subject");

  /// What the filter was asked about, by whom.
  final Queue<String> asked = new ConcurrentLinkedQueue<>();

  /// Where it was asked about what may take long.
  final Queue<Boolean> virtual = new ConcurrentLinkedQueue<>();

  /// What has happened.
  final Queue<String> events = new ConcurrentLinkedQueue<>();

  /// What the filter waits for if a message says so.
  final CountDownLatch ready = new CountDownLatch(1);

  private final boolean mayBlock;

  HallModule(boolean mayBlock) {
    this.mayBlock = mayBlock;
  }

  @Override
  public String name() {
    return "hall";
  }

  @Override
  public void install(ModuleContext context) {
    context.onRoomMessage(Phase.REWRITE, new Filter());
    context.onRoom(new Failing());
    context.onRoom(new Observer());
  }

  private static String text(Message message, QName name) {
    Element found = message.payload(name);
    return found == null ? "" : found.text();
  }

  private final class Filter implements RoomMessageFilter {
    @Override
    public Verdict filter(Message message, Jid room) {
      String said = text(message, BODY) + text(message, SUBJECT);
      asked.add(message.from() + " to " + room + ": " + said);
      virtual.add(Thread.currentThread().isVirtual());
      return switch (said) {
        case "darn" -> {
          QName name = message.hasBody() ? BODY : SUBJECT;
          Element masked = Element.builder(name).text("****").build();
          yield Verdict.replace(
              Message.of(message.type(), null, null, message.id(), List.of(masked)));
        }
        case "reject" ->
            new Verdict.Refuse(StanzaError.of(ErrorCondition.NOT_ACCEPTABLE).withText("not here"));
        case "wait" -> {
          await();
          yield Verdict.pass();
        }
        case "drop" -> new Verdict.Drop(Reason.MODULE);
        case "topic" ->
            Verdict.replace(
                message
                    .withoutPayloads(each -> true)
                    .withPayload(Element.builder(SUBJECT).text("x").build()));
        default -> Verdict.pass();
      };
    }

    private void await() {
      try {
        if (!ready.await(1, TimeUnit.MINUTES)) {
          throw new IllegalStateException("nobody has said that it is ready");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public boolean mayBlock() {
      return mayBlock;
    }
  }

  private static final class Failing implements RoomListener {
    @Override
    public void entered(Jid occupant, Jid session) {
      throw new IllegalStateException("the test's");
    }
  }

  private final class Observer implements RoomListener {
    @Override
    public void created(Jid room, Jid by) {
      events.add("created " + room + " by " + by);
    }

    @Override
    public void removed(Jid room) {
      events.add("removed " + room);
    }

    @Override
    public void entered(Jid occupant, Jid session) {
      events.add("entered " + occupant + " " + session);
    }

    @Override
    public void left(Jid occupant, Jid session) {
      events.add("left " + occupant + " " + session);
    }

    @Override
    public void sent(Message message, @Nullable Jid session) {
      events.add(
          message.from() + " (" + session + "): " + text(message, BODY) + text(message, SUBJECT));
    }
  }
}
