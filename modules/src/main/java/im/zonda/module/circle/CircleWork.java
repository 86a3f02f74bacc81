package im.zonda.module.circle;

import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.module.circle.CircleUpdate.Outcome;
import im.zonda.module.circle.CircleUpdate.Task;
import im.zonda.module.circle.StoredCircles.Changed;
import im.zonda.module.circle.StoredCircles.Progress;
import im.zonda.module.muc.MucModule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries out the changes of a host's circles, one circle after the other, at one node of a
/// cluster. A circle whose update fails is tried again in a minute, when also changes are looked
/// for of which nobody has said anything: a process that has ended may have left some.
///
/// Before the first request of a membership the store has that it was begun, and after the last one
/// that it is done. So all of it is taken back when it ends, whenever the process was killed.
final class CircleWork {
  /// How often it is looked whether something is to be done.
  static final Duration PERIOD = Duration.ofMillis(500);

  private static final Duration PAUSE = Duration.ofMinutes(1);

  /// A task that has not run in this time has run at another node.
  private static final Duration GAP = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(CircleWork.class);

  private final ModuleContext context;
  private final StoredCircles stored;
  private final MemberRequests requests;
  private final MucModule rooms;
  private volatile boolean due = true;

  // Used by the task, which never overlaps.
  private @Nullable Running running;
  private final Set<String> failed = new HashSet<>();
  private Instant nextLook = Instant.EPOCH;
  private Instant lastRun = Instant.EPOCH;

  /// @param outcome of the update; null while it runs
  private record Running(Changed changed, Task task, AtomicReference<@Nullable Outcome> outcome) {}

  CircleWork(
      ModuleContext context, StoredCircles stored, MemberRequests requests, MucModule rooms) {
    this.context = context;
    this.stored = stored;
    this.requests = requests;
    this.rooms = rooms;
  }

  void start() {
    context.everyAtOneNode(PERIOD, PERIOD, this::run);
    context.onNotice(() -> due = true);
  }

  /// Circles have changed, here.
  void changed() {
    due = true;
    context.notifyNodes();
  }

  private void run() {
    Instant now = context.clock().instant();
    if (now.isAfter(lastRun.plus(GAP))) {
      running = null; // another node may have concluded it, and more may have changed since
    }
    lastRun = now;
    Running present = running;
    if (present != null) {
      Outcome ended = present.outcome.get();
      if (ended == null) {
        return;
      }
      running = null;
      conclude(present, ended);
      due = true; // for the next circle
    }
    boolean looks = !now.isBefore(nextLook);
    if (!due && !looks) {
      return;
    }
    if (looks) {
      nextLook = now.plus(PAUSE);
      failed.clear();
    }
    due = false;
    for (Changed each : stored.changed()) {
      if (!failed.contains(each.circle().key())) {
        begin(each);
        return;
      }
    }
  }

  private void begin(Changed changed) {
    Circle circle = changed.circle();
    Task task = task(changed);
    for (Jid each : task.joining()) {
      stored.progress(circle, each, Progress.BEGUN);
    }
    Jid service = rooms.service();
    Jid room = service == null ? null : circle.room(service);
    Running started = new Running(changed, task, new AtomicReference<>());
    running = started;
    new CircleUpdate(task, requests, rooms, room, started.outcome::set).start();
  }

  private Task task(Changed changed) {
    Circle circle = changed.circle();
    Set<Jid> members = circle.removed() ? Set.of() : stored.members(circle);
    Map<Jid, Progress> progress = stored.progress(circle);
    List<Jid> present = new ArrayList<>();
    List<Jid> joining = new ArrayList<>();
    for (Jid each : members) {
      (progress.get(each) == Progress.DONE ? present : joining).add(each);
    }
    List<Jid> leaving = progress.keySet().stream().filter(each -> !members.contains(each)).toList();
    return new Task(circle, changed.former(), List.copyOf(present), List.copyOf(joining), leaving);
  }

  private void conclude(Running ended, Outcome outcome) {
    Circle circle = ended.task.circle();
    switch (outcome) {
      case Outcome.Failed(var error) -> {
        failed.add(circle.key());
        LOG.atWarn()
            .addKeyValue("circle", circle.name())
            .addKeyValue("host", context.domain())
            .addKeyValue("at", error.from())
            .addKeyValue("error", error.payloads())
            .log("circle_not_updated");
      }
      case Outcome.Done(Set<Jid> missing, Set<Jid> full) -> {
        for (Jid each : ended.task.leaving()) {
          stored.progress(circle, each, null);
        }
        for (Jid each : ended.task.joining()) {
          stored.progress(circle, each, missing.contains(each) ? null : Progress.DONE);
        }
        if (circle.removed()) {
          stored.forget(circle);
        }
        stored.drop(ended.changed.notes());
        full.forEach(each ->
            LOG.atWarn()
                .addKeyValue("circle", circle.name())
                .addKeyValue("jid", each)
                .log("circle_member_has_full_roster"));
        LOG.atInfo()
            .addKeyValue("circle", circle.name())
            .addKeyValue("host", context.domain())
            .addKeyValue("joined", ended.task.joining().size() - missing.size())
            .addKeyValue("left", ended.task.leaving().size())
            .log(circle.removed() ? "circle_removed" : "circle_updated");
      }
    }
  }
}
