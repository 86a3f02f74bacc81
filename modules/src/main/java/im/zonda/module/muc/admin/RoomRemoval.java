package im.zonda.module.muc.admin;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.mam.ArchiveQueries;
import im.zonda.module.muc.home.RoomRepository;
import im.zonda.module.muc.room.MucNames;
import im.zonda.module.muc.room.RoomName;
import im.zonda.module.requests.HostRequests;
import im.zonda.module.requests.HostRequests.Answer;
import im.zonda.operation.Call;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import im.zonda.store.MessageArchive;
import im.zonda.store.RoomStore;
import im.zonda.xml.Element;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Destroys, cleans and restores rooms for administrators.
public final class RoomRemoval {
  private static final int PAGE = 100;
  private static final int CLEANED_AT_A_TIME = 500;

  /// The most rooms of one list of idle ones that are looked at.
  private static final int MOST_LOOKED_AT = 1_000;

  private final ModuleContext context;
  private final Jid service;
  private final RemovedRooms removed;
  private final RoomRepository repository;
  private final RoomStore store;
  private final HostRequests requests;

  /// @param removed the rooms that can be restored
  public RoomRemoval(ModuleContext context, RemovedRooms removed, RoomRepository repository) {
    this.context = context;
    this.repository = repository;
    this.service = removed.domain();
    this.removed = removed;
    this.store = context.port(RoomStore.class);
    this.requests = new HostRequests(context);
  }

  /// What is offered.
  public List<Offer<?, ?>> offers() {
    return List.of(
        RoomOperations.DESTROY.by((_, doomed) -> destroy(doomed)),
        RoomOperations.CLEAN.by(this::clean),
        RoomOperations.REMOVED.by((_, wanted) -> list(wanted)),
        RoomOperations.RESTORE.by((_, restored) -> restore(restored)),
        RoomOperations.DESTROY_IDLE.by(this::destroyIdle));
  }

  private Outcome<Nothing> destroy(RoomOperations.Doomed doomed) throws InterruptedException {
    Outcome<Nothing> wrong = RoomActions.refusal(doomed.room(), service);
    if (wrong != null) {
      return wrong;
    }
    Answer answer = destroy(doomed.room(), doomed.reason(), doomed.alternate(), doomed.forever());
    return answer instanceof Answer.Refusal refusal
        ? refusal.outcome("room " + doomed.room())
        : Nothing.done();
  }

  private Answer destroy(
      Jid room, @Nullable String reason, @Nullable Jid alternate, boolean forever)
      throws InterruptedException {
    Element.Builder destroy = Element.builder(MucNames.OWNER, "destroy");
    destroy.attribute("jid", alternate == null ? null : alternate.toString());
    if (reason != null) {
      destroy.child("reason", reason);
    }
    if (forever) {
      destroy.child(Element.of(OwnerRequests.ERASE));
    }
    return requests.set(
        room, Element.builder(MucNames.OWNER, "query").child(destroy.build()).build());
  }

  // ---- old messages

  private Outcome<Nothing> clean(Call call, RoomOperations.Cleaned wanted) {
    Jid room = wanted.room();
    Outcome<Nothing> wrong = RoomActions.refusal(room, service);
    if (wrong != null) {
      return wrong;
    }
    if (store.find(room) == null) {
      return Outcome.notFound("There is no room " + room + ".");
    }
    if (wanted.before().isAfter(context.clock().instant())) {
      return Outcome.invalid("before", "This time has not come yet.");
    }
    return call.start(
        "Remove messages of " + room + " before " + wanted.before(),
        progress -> clean(room, idAt(wanted.before()), progress));
  }

  /// The first id of the log at a time.
  private static long idAt(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
  }

  private String clean(Jid room, long before, Call.Progress progress) throws InterruptedException {
    MessageArchive archive = context.port(MessageArchive.class);
    long gone = 0;
    int more;
    do {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      more = archive.purge(room, before, Integer.MAX_VALUE, CLEANED_AT_A_TIME);
      gone += more;
      progress.at(gone, 0, "messages");
    } while (more == CLEANED_AT_A_TIME);
    // Those who enter get the latest messages from memory.
    Element cleaned =
        Element.builder(RoomTasks.CLEANED).attribute("before", Long.toString(before)).build();
    Answer answer = requests.set(room, cleaned);
    return answer instanceof Answer.Refusal
        ? "Removed " + gone + " messages; the room has not been told."
        : "Removed " + gone + " messages.";
  }

  // ---- removed rooms

  private Outcome<RoomOperations.RemovedRooms> list(RoomOperations.OfHost wanted) {
    Jid room = wanted.room();
    List<RoomOperations.Removed> found =
        removed.latest(room == null ? null : room.local(), wanted.limit()).stream()
            .map(each ->
                new RoomOperations.Removed(
                    each.room().jid(),
                    each.number(),
                    each.room().name(),
                    each.room().creator(),
                    each.removed(),
                    removed.end(each)))
            .toList();
    return Outcome.done(new RoomOperations.RemovedRooms(found));
  }

  private Outcome<Nothing> restore(RoomOperations.Restored wanted) throws InterruptedException {
    Jid room = wanted.room();
    Outcome<Nothing> wrong = RoomActions.refusal(room, service);
    if (wrong != null) {
      return wrong;
    }
    Long number = wanted.number();
    if (number == null) {
      List<RoomStore.Removed> latest = removed.latest(room.local(), 1);
      if (latest.isEmpty()) {
        return Outcome.notFound("There is no removed room " + room + ".");
      }
      number = latest.getFirst().number();
    }
    Answer answer = requests.set(room, RemovedRooms.restoration(number));
    return answer instanceof Answer.Refusal refusal
        ? new Answer.Refusal(refusal.condition(), RemovedRooms.problem(room, refusal.condition()))
            .outcome(room)
        : Nothing.done();
  }

  // ---- rooms that nobody uses

  private Outcome<RoomOperations.IdleRooms> destroyIdle(Call call, RoomOperations.Unused wanted) {
    if (wanted.since().isAfter(context.clock().instant())) {
      return Outcome.invalid("since", "This time has not come yet.");
    }
    if (!ArchiveQueries.available(context.config())) {
      return Outcome.refused(
          Outcome.Reason.NOT_APPLICABLE,
          "Messages are not archived, so it is not known which rooms are used.");
    }
    if (wanted.dryRun()) {
      List<RoomOperations.Idle> idle = new ArrayList<>();
      String next = wanted.after();
      for (int looked = 0; looked < MOST_LOOKED_AT; looked += PAGE) {
        List<RoomStore.Room> page = store.page(service.domain(), next, PAGE);
        addIdle(page, wanted.since(), idle);
        next = page.size() < PAGE ? null : page.getLast().jid().local();
        if (next == null) {
          break;
        }
      }
      return Outcome.done(new RoomOperations.IdleRooms(idle, next));
    }
    return call.start(
        "Destroy rooms of " + wanted.host() + " that are not used since " + wanted.since(),
        progress -> destroyIdle(wanted, progress));
  }

  private void addIdle(List<RoomStore.Room> rooms, Instant since, List<RoomOperations.Idle> idle) {
    for (RoomStore.Room each : rooms) {
      // Rooms that the host itself keeps, such as those of circles, stay.
      boolean isOfHost = each.creator() == null || each.creator().equals(each.jid());
      Instant used = isOfHost || !each.created().isBefore(since) ? null : lastUse(each, since);
      if (used != null && used.isBefore(since)) {
        idle.add(new RoomOperations.Idle(each.jid(), RoomName.of(each.jid(), each.name()), used));
      }
    }
  }

  /// When somebody has written last, or the room was created; null if it cannot be known because
  /// messages since then have not been archived, or have been removed as old.
  private @Nullable Instant lastUse(RoomStore.Room room, Instant since) {
    MessageArchive.Page page =
        context
            .port(MessageArchive.class)
            .page(room.jid(), MessageArchive.Filter.ALL, new MessageArchive.Portion(true, 1, 1));
    if (!repository.readConfig(room).archive()) {
      return null;
    }
    if (!page.entries().isEmpty()) {
      return page.entries().getFirst().time();
    }
    int days = context.config().archive().keepDays();
    boolean mayBeGone =
        days > 0 && since.isBefore(context.clock().instant().minus(Duration.ofDays(days)));
    return mayBeGone ? null : room.created();
  }

  private String destroyIdle(RoomOperations.Unused wanted, Call.Progress progress)
      throws InterruptedException {
    long looked = 0;
    long destroyed = 0;
    long kept = 0;
    String after = wanted.after();
    List<RoomStore.Room> page;
    do {
      page = store.page(service.domain(), after, PAGE);
      List<RoomOperations.Idle> idle = new ArrayList<>();
      addIdle(page, wanted.since(), idle);
      for (RoomOperations.Idle each : idle) {
        if (isEmpty(each.room())
            && destroy(each.room(), wanted.reason(), null, false) instanceof Answer.Result) {
          destroyed++;
        } else {
          kept++;
        }
      }
      looked += page.size();
      progress.at(looked, 0, "rooms");
      after = page.isEmpty() ? null : page.getLast().jid().local();
    } while (page.size() == PAGE);
    return "Destroyed "
        + destroyed
        + " of "
        + looked
        + " rooms"
        + (kept == 0 ? "." : "; " + kept + " more have somebody in them or have not answered.");
  }

  private boolean isEmpty(Jid room) throws InterruptedException {
    Element asked = Element.builder(RoomTasks.OCCUPANTS).attribute("max", "0").build();
    return requests.get(room, asked) instanceof Answer.Result(Element payload)
        && payload != null
        && "0".equals(payload.attribute("count"));
  }
}
