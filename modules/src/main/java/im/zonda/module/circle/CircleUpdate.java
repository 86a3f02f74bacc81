package im.zonda.module.circle;

import im.zonda.jid.Jid;
import im.zonda.module.circle.MemberRequests.Answer;
import im.zonda.module.circle.MemberRequests.Contact;
import im.zonda.module.muc.MucModule;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Brings rosters, room and bookmarks in step with the members of one circle, in requests that
/// follow each other.
///
/// First the room, which is made if there is none, so that clients can enter it when they see its
/// bookmark. Then the groups and bookmarks that have a former name of the circle. Then those who
/// leave: they have lost the affiliation with the room and lose its bookmark, and the contacts of
/// the circle stay, without the circle's group. People have written to each other, and a contact
/// list is its owner's. Then those who join, one account after the other. Of two accounts, the home
/// of the second one sends the presence of both.
///
/// The steps run on any thread, one at a time.
final class CircleUpdate {
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");
  private static final QName NOT_FOUND = new QName(Namespaces.STANZA_ERRORS, "item-not-found");

  /// What is to be done.
  ///
  /// @param circle the circle
  /// @param former names that the circle had
  /// @param present those whose membership is done
  /// @param joining those who become members
  /// @param leaving those who are members no more
  record Task(
      Circle circle, Set<String> former, List<Jid> present, List<Jid> joining, List<Jid> leaving) {
    List<Jid> members() {
      List<Jid> members = new ArrayList<>(present);
      members.addAll(joining);
      return members;
    }
  }

  /// How it ended.
  sealed interface Outcome {
    /// All is done.
    ///
    /// @param missing accounts that do not exist
    /// @param full accounts whose rosters are full
    record Done(Set<Jid> missing, Set<Jid> full) implements Outcome {}

    /// A step failed; the others have not been tried.
    record Failed(Iq error) implements Outcome {}
  }

  /// One request; it gives its answer to [#answered], or ends the update.
  @FunctionalInterface
  private interface Step {
    void run();
  }

  private final Task task;
  private final MemberRequests requests;
  private final MucModule rooms;
  private final @Nullable Jid room;
  private final Consumer<Outcome> done;
  private final Deque<Step> steps = new ArrayDeque<>();
  private final Set<Jid> missing = new HashSet<>();
  private final Set<Jid> full = new HashSet<>();

  /// By account, the contacts that it has not added.
  private final Map<Jid, Set<Jid>> refused = new HashMap<>();

  /// Steps that may run: an answer that comes during a request does not run the next one within it.
  private final AtomicInteger runnable = new AtomicInteger();

  /// @param room the address of the room; null if there is no room service
  /// @param done gets the outcome, once, on any thread; must not block
  CircleUpdate(
      Task task,
      MemberRequests requests,
      MucModule rooms,
      @Nullable Jid room,
      Consumer<Outcome> done) {
    this.task = task;
    this.requests = requests;
    this.rooms = rooms;
    this.room = room;
    this.done = done;
    planRoom();
    planRenaming();
    planLeaving();
    planJoining();
  }

  /// Whether an error says that there is no such account or room.
  static boolean isNotFound(Iq answer) {
    Element error = answer.payload(ERROR);
    return error != null && error.child(NOT_FOUND) != null;
  }

  /// Runs the first step. Returns at once.
  void start() {
    next();
  }

  private void planRoom() {
    if (room != null && task.circle().removed()) {
      steps.add(() -> rooms.destroyRoom(room, this::answeredByRoom));
    } else if (room != null) {
      steps.add(() ->
          rooms.keepRoom(
              room,
              task.circle().name(),
              task.former(),
              task.members(),
              task.leaving(),
              this::answeredByRoom));
    }
  }

  private void planRenaming() {
    List<Jid> all = task.members();
    all.addAll(task.leaving());
    for (String former : task.former()) {
      all.forEach(account -> steps.add(() -> rename(account, former)));
    }
  }

  private void rename(Jid account, String former) {
    requests.rename(
        account,
        task.circle(),
        former,
        room,
        answer -> {
          if (answer instanceof Answer.More) {
            steps.addFirst(() -> rename(account, former));
          }
          answered(account, answer);
        });
  }

  private void planLeaving() {
    Circle circle = task.circle();
    for (Jid account : task.leaving()) {
      steps.add(() -> leave(account));
    }
    for (Jid account : task.present()) {
      parts(task.leaving())
          .forEach(part ->
              steps.add(() ->
                  requests.leave(
                      account, circle, null, part, answer -> answered(account, answer))));
    }
  }

  private void leave(Jid account) {
    requests.leave(
        account,
        task.circle(),
        room,
        List.of(),
        answer -> {
          if (answer instanceof Answer.More) {
            steps.addFirst(() -> leave(account));
          }
          answered(account, answer);
        });
  }

  private void planJoining() {
    Set<Jid> before = new HashSet<>();
    for (Jid account : task.present()) {
      if (!task.joining().isEmpty()) {
        planContacts(account, task.joining(), before, null);
        before.add(account);
      }
    }
    for (Jid account : task.joining()) {
      List<Jid> others = task.members();
      others.remove(account);
      planContacts(account, others, before, room);
      before.add(account);
    }
  }

  /// @param before the accounts that have added theirs by then
  private void planContacts(
      Jid account, List<Jid> others, Set<Jid> before, @Nullable Jid bookmarked) {
    Set<Jid> known = Set.copyOf(before);
    List<List<Jid>> parts = others.isEmpty() ? List.of(List.of()) : parts(others);
    for (int i = 0; i < parts.size(); i++) {
      List<Jid> part = parts.get(i);
      Jid bookmark = i == 0 ? bookmarked : null;
      steps.add(() -> join(account, part, known, bookmark));
    }
  }

  private void join(Jid account, List<Jid> part, Set<Jid> known, @Nullable Jid bookmarked) {
    List<Contact> contacts = new ArrayList<>();
    for (Jid other : part) {
      boolean isRefused = refused.getOrDefault(other, Set.of()).contains(account);
      if (!missing.contains(other) && !isRefused) {
        contacts.add(new Contact(other, known.contains(other)));
      }
    }
    if (missing.contains(account) || (contacts.isEmpty() && bookmarked == null)) {
      next();
      return;
    }
    requests.join(
        account, task.circle(), bookmarked, contacts, answer -> answered(account, answer));
  }

  private static List<List<Jid>> parts(List<Jid> all) {
    List<List<Jid>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += MemberRequests.AT_A_TIME) {
      parts.add(all.subList(from, Math.min(from + MemberRequests.AT_A_TIME, all.size())));
    }
    return parts;
  }

  private void answered(Jid account, Answer answer) {
    switch (answer) {
      case Answer.Done(List<Jid> contacts) -> {
        refuse(account, contacts);
        next();
      }
      case Answer.More() -> next();
      case Answer.NoAccount() -> {
        missing.add(account);
        next();
      }
      case Answer.Failed(Iq error) -> done.accept(new Outcome.Failed(error));
    }
  }

  private void refuse(Jid account, Collection<Jid> contacts) {
    if (!contacts.isEmpty()) {
      full.add(account);
      refused.computeIfAbsent(account, none -> new HashSet<>()).addAll(contacts);
    }
  }

  private void answeredByRoom(Iq answer) {
    if (answer.type() == Iq.Type.RESULT) {
      next();
    } else {
      done.accept(new Outcome.Failed(answer));
    }
  }

  private void next() {
    if (runnable.getAndIncrement() > 0) {
      return;
    }
    do {
      Step step = steps.poll();
      if (step == null) {
        done.accept(new Outcome.Done(Set.copyOf(missing), Set.copyOf(full)));
        return;
      }
      step.run();
    } while (runnable.decrementAndGet() > 0);
  }
}
