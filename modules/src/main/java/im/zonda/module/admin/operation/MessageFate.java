package im.zonda.module.admin.operation;

import im.zonda.account.DisabledAccounts;
import im.zonda.config.S2s;
import im.zonda.federation.ServerLinks;
import im.zonda.jid.Jid;
import im.zonda.journal.JournalSearch;
import im.zonda.journal.JournalStore;
import im.zonda.journal.Reason;
import im.zonda.module.DomainService;
import im.zonda.module.ModuleContext;
import im.zonda.module.admin.home.DeliveryReports;
import im.zonda.module.admin.home.DeliveryReports.Report;
import im.zonda.module.admin.home.DeliveryReports.SessionReport;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.MessageLog.Entry;
import im.zonda.store.RemoteQueueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds out what became of a message, from what the server knows anyway: the message logs of both
/// sides, the sessions of the receiver, its filters, the queue for the other server, and the record
/// of stanzas that were not delivered as usual.
final class MessageFate {
  /// How far the time of a message may be from the one that is asked for.
  private static final Duration NEAR = Duration.ofMinutes(5);

  /// How far back the record goes.
  private static final Duration KEPT = Duration.ofDays(7);

  /// An acknowledgement that is younger than this is waited for as usual.
  private static final Duration USUAL = Duration.ofSeconds(10);

  private static final int EVENTS = 20;
  private static final int ENTRIES = 20;
  private static final int WAITING = 500;
  private static final long BYTES = 1 << 20;

  private final ModuleContext context;
  private final DeliveryReports reports;

  /// A question.
  ///
  /// @param at about when the message was sent, or null
  /// @param id the `id` of the message, or null
  record Question(Jid sender, Jid receiver, @Nullable Instant at, @Nullable String id) {}

  /// Something that is known.
  ///
  /// @param rank the lower, the more likely the cause
  /// @param time when it happened; null if it is so now
  record Known(
      int rank,
      Reason reason,
      @Nullable Instant time,
      @Nullable String detail,
      @Nullable String id,
      @Nullable String node) {
    Known(int rank, Reason reason, @Nullable String detail) {
      this(rank, reason, null, detail, null, null);
    }
  }

  // Ranks: what ends a message, what keeps it waiting, what has become of it, what else is known.
  private static final int STOPPED = 0;
  private static final int DISABLED = 10;
  private static final int QUEUED = 15;
  private static final int CAUSE_OF_WAIT = 20;
  private static final int WAITS = 30;
  private static final int UNSEEN = 35;
  private static final int ARRIVED = 40;
  private static final int LEFT = 45;
  private static final int EARLIER = 50;
  private static final int PUSHED = 55;
  private static final int IN_THE_WAY = 60;
  private static final int NO_TRACE = 65;
  private static final int TROUBLE = 67;
  private static final int STATE = 70;

  MessageFate(ModuleContext context, DeliveryReports reports) {
    this.context = context;
    this.reports = reports;
  }

  /// Whether an address is of the host or of one of its services.
  boolean isOfHost(Jid address) {
    String domain = address.domain();
    String own = context.domain().domain();
    return domain.equals(own) || context.config().serviceDomains(own).contains(domain);
  }

  private boolean isAccount(Jid address) {
    return address.local() != null && address.domain().equals(context.domain().domain());
  }

  private boolean isRoom(Jid address) {
    return address.local() != null && isOfHost(address) && !isAccount(address);
  }

  private boolean isServed(Jid address) {
    return context.port(DomainService.LocalDomains.class).isServed(address.domain());
  }

  // ---- what became of a message

  /// What is known of a message, the most likely cause first. Blocks.
  List<Known> find(Question question) throws InterruptedException {
    Search search = new Search(question);
    search.readEvents();
    search.readLogs();
    if (isAccount(question.receiver())) {
      search.examineReceiver();
    } else if (!isServed(question.receiver())) {
      search.examineLink();
    }
    search.rankEvents();
    search.examineLogs();
    search.concludeIfNothing();
    search.known.sort(Comparator.comparingInt(Known::rank));
    return List.copyOf(search.known);
  }

  /// One search.
  private final class Search {
    private final Question question;
    private final long from;
    private final long to;
    private final List<Known> known = new ArrayList<>();
    private List<JournalStore.Event> events = List.of();
    private List<Entry> received = List.of();
    private List<Entry> sent = List.of();
    private Set<Long> waiting = Set.of();
    private List<SessionReport> sessions = List.of();
    private boolean queued;
    private boolean linkExamined;
    private @Nullable Entry inRoom;

    Search(Question question) {
      this.question = question;
      Instant now = context.clock().instant();
      Instant at = question.at();
      from = id(at == null ? now.minus(KEPT) : at.minus(NEAR));
      to = id(at == null ? now.plus(NEAR) : at.plus(NEAR));
    }

    private static long id(Instant time) {
      return time.getEpochSecond() * 1_000_000L + time.getNano() / 1_000;
    }

    private void add(int rank, Reason reason, @Nullable String detail) {
      known.add(new Known(rank, reason, detail));
    }

    void readEvents() {
      List<JournalStore.Event> found = new ArrayList<>();
      for (JournalStore.Event each : search(question.receiver(), null, EVENTS)) {
        if (isFromSender(each) && (question.id() == null || question.id().equals(each.stanza()))) {
          found.add(each);
        }
      }
      if (!isServed(question.sender())) {
        found.addAll(slowed(question.sender().domainJid()));
      }
      // Of the receiver's push services, which concern messages of all.
      found.addAll(search(null, Reason.PUSH_FAILED, 1));
      found.addAll(search(null, Reason.PUSH_DISABLED, 1));
      events = List.copyOf(found);
    }

    /// That the other server sends more than it may, which concerns messages of all.
    private List<JournalStore.Event> slowed(Jid domain) {
      return context
          .port(JournalSearch.class)
          .find(new JournalStore.Query(domain, null, Reason.REMOTE_SLOWED.word(), from, to, 1));
    }

    private List<JournalStore.Event> search(
        @Nullable Jid other, @Nullable Reason reason, int most) {
      return context
          .port(JournalSearch.class)
          .find(
              new JournalStore.Query(
                  other == null ? question.receiver() : question.sender(),
                  other,
                  reason == null ? null : reason.word(),
                  from,
                  to,
                  most));
    }

    /// Not what went in the other direction.
    private boolean isFromSender(JournalStore.Event event) {
      Jid sender = event.sender();
      return sender == null || sender.bare().equals(question.sender().bare());
    }

    void readLogs() {
      if (isAccount(question.receiver())) {
        Jid receiver = question.receiver().bare();
        received = entries(receiver, question.sender().bare());
        waiting =
            context.port(MessageLog.class).waiting(receiver, from - 1, WAITING, BYTES).stream()
                .filter(each -> each.with().bare().equals(question.sender().bare()))
                .map(Entry::id)
                .collect(Collectors.toSet());
      }
      if (question.id() != null && isRoom(question.receiver())) {
        inRoom = findInRoom(question.receiver().bare());
      }
      if (isAccount(question.sender())) {
        sent =
            entries(question.sender().bare(), question.receiver().bare()).stream()
                .filter(this::isSent)
                .toList();
      }
    }

    /// In the archive of a room senders have the addresses of occupants, so only the id says which
    /// message it is.
    private @Nullable Entry findInRoom(Jid room) {
      MessageArchive.Filter filter = new MessageArchive.Filter(null, from, to, null, null);
      MessageArchive.Portion portion = new MessageArchive.Portion(true, WAITING, BYTES);
      return context.port(MessageArchive.class).page(room, filter, portion).entries().stream()
          .filter(each -> Objects.equals(question.id(), each.message().id()))
          .reduce((_, later) -> later)
          .orElse(null);
    }

    private List<Entry> entries(Jid owner, Jid with) {
      MessageArchive.Filter filter = new MessageArchive.Filter(with, from, to, null, null);
      MessageArchive.Portion portion = new MessageArchive.Portion(true, ENTRIES, BYTES);
      return context.port(MessageArchive.class).page(owner, filter, portion).entries().stream()
          .filter(each -> question.id() == null || question.id().equals(each.message().id()))
          .toList();
    }

    private boolean isSent(Entry entry) {
      Jid sender = entry.message().from();
      return sender != null && sender.bare().equals(question.sender().bare());
    }

    void examineReceiver() throws InterruptedException {
      Report report = reports.ask(question.receiver(), question.sender(), false);
      if (report == null) {
        return;
      }
      if (!report.exists()) {
        add(IN_THE_WAY, Reason.NO_SUCH_ACCOUNT, null);
        return;
      }
      sessions = report.sessions();
      if (report.reason() != null) {
        add(IN_THE_WAY, report.reason(), report.module());
      }
      DisabledAccounts.Disabling disabling =
          context.port(DisabledAccounts.class).find(question.receiver().bare());
      if (disabling != null) {
        add(
            DISABLED,
            Reason.ACCOUNT_DISABLED,
            Objects.requireNonNullElse(disabling.reason(), "no reason was given"));
      }
      boolean waits = !waiting.isEmpty();
      if (sessions.isEmpty()) {
        add(STATE, Reason.OFFLINE, null);
      } else if (sessions.stream().noneMatch(SessionReport::receives)) {
        add(STATE, Reason.NEGATIVE_PRIORITY, null);
      }
      boolean unseen = sessions.stream().allMatch(SessionReport::asleep);
      sessions.forEach(each -> examine(each, waits, unseen));
    }

    private void examine(SessionReport session, boolean waits, boolean unseen) {
      Instant since = session.progress().since();
      if (session.progress().detached()) {
        add(waits ? CAUSE_OF_WAIT : STATE, Reason.SESSION_DETACHED, session.resource());
      } else if (since != null && since.isBefore(context.clock().instant().minus(USUAL))) {
        add(waits ? CAUSE_OF_WAIT : STATE, Reason.SESSION_UNACKNOWLEDGED, session.resource());
      } else if (session.asleep()) {
        add(unseen ? UNSEEN : STATE, Reason.SESSION_ASLEEP, session.resource());
      }
    }

    /// The queue may be at another node of the cluster: the log has what waits there.
    private void examineStoredQueue(String remote) {
      Jid queue = RemoteQueueStore.address(question.sender().domain(), remote);
      boolean waits =
          context.port(MessageLog.class).waiting(queue, from - 1, WAITING, BYTES).stream()
              .anyMatch(
                  each -> isSent(each) && each.with().bare().equals(question.receiver().bare()));
      if (waits) {
        queued = true;
        String why =
            events.stream()
                .filter(each -> each.reason().equals(Reason.REMOTE_WAITS.word()))
                .map(JournalStore.Event::detail)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("the queue is at another node");
        add(QUEUED, Reason.REMOTE_WAITS, why);
      }
    }

    void examineLink() {
      S2s s2s = context.config().s2s();
      String remote = question.receiver().domain();
      if (!s2s.enabled()) {
        add(IN_THE_WAY, Reason.NOT_SERVED, null);
        return;
      }
      if (!s2s.permits(remote)) {
        add(IN_THE_WAY, Reason.REMOTE_NOT_ALLOWED, null);
      }
      linkExamined = true;
      ServerLinks.Waiting link =
          context.port(ServerLinks.class).waiting(question.sender().domain(), remote);
      if (link == null) {
        examineStoredQueue(remote);
      } else if (link.failure() != null) {
        queued = link.waiting() > 0;
        Instant retryAt = link.retryAt();
        add(
            queued ? QUEUED : IN_THE_WAY,
            Reason.REMOTE_WAITS,
            link.failure() + (retryAt == null ? "" : " (next attempt at " + retryAt + ")"));
      }
    }

    void rankEvents() {
      long arrived =
          received.stream()
              .map(Entry::id)
              .filter(each -> !waiting.contains(each))
              .reduce(Long.MIN_VALUE, Math::max);
      for (JournalStore.Event event : events) {
        Reason reason = Objects.requireNonNullElse(Reason.of(event.reason()), Reason.REFUSED);
        int rank =
            switch (reason.effect()) {
              case REFUSED, DROPPED, BOUNCED, HELD ->
                  isAboutAny() && event.id() < arrived ? EARLIER : STOPPED;
              case STORED -> waiting.isEmpty() && arrived != Long.MIN_VALUE ? EARLIER : WAITS;
              case QUEUED -> linkExamined && !queued ? EARLIER : QUEUED + 1;
              case NOTIFIED, DELIVERED -> PUSHED;
              case NONE -> reason == Reason.REMOTE_SLOWED ? IN_THE_WAY : TROUBLE;
            };
        known.add(
            new Known(
                rank, reason, event.time(), event.detail(), event.stanza(), node(event.node())));
      }
    }

    /// Whether the last message is meant, and not one of a time or with an id.
    private boolean isAboutAny() {
      return question.at() == null && question.id() == null;
    }

    private static @Nullable String node(String name) {
      return name.isEmpty() ? null : name;
    }

    void examineLogs() {
      if (!waiting.isEmpty()) {
        boolean recorded = known.stream().anyMatch(each -> each.rank() == WAITS);
        if (!recorded) {
          add(WAITS, Reason.WAITS_IN_LOG, null);
        }
      }
      Entry last =
          received.stream()
              .filter(each -> !waiting.contains(each.id()))
              .reduce((_, later) -> later)
              .orElse(null);
      if (last != null && waiting.isEmpty()) {
        add(last, ARRIVED, Reason.DELIVERED);
      }
      Entry said = inRoom;
      if (said != null) {
        add(said, ARRIVED, Reason.ROOM_HAS_IT);
      }
      if (!isServed(question.receiver()) && !sent.isEmpty() && !queued) {
        add(sent.getLast(), LEFT, Reason.LEFT_SENDER);
      }
    }

    private void add(Entry entry, int rank, Reason reason) {
      known.add(
          new Known(
              rank, reason, entry.time(), entry.time().toString(), entry.message().id(), null));
    }

    /// Nothing but the present state is known.
    void concludeIfNothing() {
      if (known.stream().noneMatch(each -> each.rank() <= PUSHED && each.rank() != DISABLED)) {
        add(NO_TRACE, Reason.NEVER_SENT, null);
      }
    }
  }

  // ---- whether a message would arrive

  /// What would become of a message at present, without sending one. Blocks.
  List<Known> probe(Question question) throws InterruptedException {
    List<Known> known = new ArrayList<>();
    Set<String> unasked = new LinkedHashSet<>();
    if (isAccount(question.sender())) {
      probe(question.sender(), question.receiver(), true, known, unasked);
    }
    boolean stopped = !known.isEmpty();
    if (isAccount(question.receiver())) {
      Report report = probe(question.receiver(), question.sender(), false, known, unasked);
      stopped = !known.isEmpty();
      if (report != null && !stopped) {
        known.add(new Known(ARRIVED, whereTo(question, report), null));
      }
    } else if (!isServed(question.receiver())) {
      Search link = new Search(question);
      link.examineLink();
      known.addAll(link.known);
      if (known.isEmpty()) {
        known.add(new Known(ARRIVED, Reason.WOULD_ARRIVE, null));
      }
    } else {
      unasked.add(question.receiver().domain());
      if (!stopped) {
        known.add(new Known(ARRIVED, Reason.WOULD_ARRIVE, null));
      }
    }
    if (!unasked.isEmpty()) {
      known.add(new Known(STATE, Reason.NOT_ASKED, String.join(", ", unasked)));
    }
    return List.copyOf(known);
  }

  private @Nullable Report probe(
      Jid account, Jid other, boolean sent, List<Known> known, Set<String> unasked)
      throws InterruptedException {
    Report report = reports.ask(account, other, sent);
    if (report == null) {
      unasked.add(account.toString());
    } else if (!report.exists()) {
      if (!sent) {
        known.add(new Known(STOPPED, Reason.NO_SUCH_ACCOUNT, null));
      }
    } else {
      unasked.addAll(new HashSet<>(report.unasked()));
      if (report.reason() != null) {
        known.add(new Known(STOPPED, report.reason(), report.module()));
      }
    }
    return report;
  }

  private Reason whereTo(Question question, Report report) {
    if (report.sessions().stream().anyMatch(SessionReport::receives)) {
      return Reason.WOULD_ARRIVE;
    }
    if (!report.stored()) {
      return Reason.NOT_STORED;
    }
    int most = context.config().limits().ofHost().offlineMessages();
    if (context.port(MessageLog.class).waitingCount(question.receiver().bare()) >= most) {
      return Reason.OFFLINE_FULL;
    }
    return report.sessions().isEmpty() ? Reason.NOT_CONNECTED : Reason.NO_AVAILABLE_SESSION;
  }
}
