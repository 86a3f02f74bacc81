package im.zonda.module.export;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.journal.Erasure;
import im.zonda.module.ModuleContext;
import im.zonda.module.export.ExportOperations.Forgotten;
import im.zonda.module.export.ExportOperations.Others;
import im.zonda.module.export.RoomArchives.Written;
import im.zonda.operation.Call;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Outcome;
import im.zonda.stanza.Message;
import im.zonda.store.AccountAddresses;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageLog;
import im.zonda.store.PubSubStore;
import im.zonda.store.RoomStore;
import im.zonda.store.RosterStore;
import im.zonda.store.UploadStore;
import im.zonda.xml.Element;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Erases what the server has of one person.
///
/// First all is written to a file, then the account is removed with all its data, which also takes
/// back what others have given to it, then what the person has written is changed where others have
/// it, as the administrator chooses. Messages in rooms and in the archives of others that come
/// later are not touched: somebody else may have the address by then.
///
/// Bans of the address stay: they protect others from who comes back. What other servers have is
/// not in reach.
final class Forgetting {
  private static final int ACCOUNTS = 100;
  private static final MessageArchive.Portion PORTION =
      new MessageArchive.Portion(false, ArchivedMessages.PORTION, ArchivedMessages.PORTION_BYTES);

  private final ModuleContext context;
  private final ExportActions exports;
  private final RoomArchives rooms;

  Forgetting(ModuleContext context, ExportActions exports, RoomArchives rooms) {
    this.context = context;
    this.exports = exports;
    this.rooms = rooms;
  }

  Offer<?, ?> offer() {
    return ExportOperations.FORGET.by(this::forget);
  }

  private Outcome<Nothing> forget(Call call, Forgotten wanted) {
    Jid account = wanted.account().bare();
    if (account.local() == null || !account.domainJid().equals(context.domain())) {
      return Outcome.notFound("There is no account " + account + ".");
    }
    boolean isThere = context.port(AccountRegistration.class).created(account) != null;
    if (!isThere && wanted.rooms() == Written.KEEP && wanted.others() == Others.KEEP) {
      return Outcome.notFound(
          "There is no account "
              + account
              + "; of one that was removed before, only what others have can be erased.");
    }
    return call.start(
        (wanted.dryRun() ? "Count what is kept of " : "Forget ") + account,
        progress -> forget(call, wanted, account, isThere, progress));
  }

  private String forget(
      Call call, Forgotten wanted, Jid account, boolean isThere, Call.Progress progress)
      throws IOException, InterruptedException {
    boolean erases = !wanted.dryRun();
    Map<String, Long> counts = new LinkedHashMap<>();
    String file = "";
    if (isThere) {
      count(account, counts);
      if (erases && !wanted.withoutExport()) {
        file = " All of it is in " + exports.write(account) + ".";
      }
      if (erases) {
        remove(account);
        context.port(Erasure.class).erase(account);
      }
    }
    long before = idAt(context.clock().instant());
    if (wanted.rooms() != Written.KEEP) {
      counts.put(
          "messages in rooms",
          rooms.rewrite(
              account, wanted.rooms(), before, erases, looked -> progress.at(looked, 0, "rooms")));
    }
    if (wanted.others() == Others.ERASE) {
      counts.put("messages to others", eraseAtOthers(account, before, erases, progress));
    }
    List<String> said = new ArrayList<>();
    counts.forEach((what, number) -> {
      said.add(number + " " + what);
      if (erases) {
        call.changed(what, number.toString(), "0");
      }
    });
    return (erases ? "Forgotten: " : "There are ") + String.join(", ", said) + "." + file;
  }

  private static long idAt(Instant time) {
    return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
  }

  private void count(Jid account, Map<String, Long> counts) {
    counts.put("accounts", 1L);
    counts.put("contacts", (long) context.port(RosterStore.class).load(account).items().size());
    counts.put("messages that wait", (long) context.port(MessageLog.class).waitingCount(account));
    counts.put("nodes", (long) context.port(PubSubStore.class).count(account));
    counts.put("files", context.port(UploadStore.class).usage(account, Instant.EPOCH).files());
    counts.put(
        "rooms that it belonged to",
        (long)
            context
                .port(RoomStore.class)
                .affiliatedRooms(account, AccountDocument.MOST_ROOMS)
                .size());
  }

  private void remove(Jid account) {
    AccountRegistration.Result result = context.port(AccountRegistration.class).remove(account);
    if (!(result instanceof AccountRegistration.Result.Done)) {
      throw new IllegalStateException("the account has been removed by somebody else meanwhile");
    }
    context.forget(account);
  }

  // ---- what others have

  private long eraseAtOthers(Jid account, long before, boolean erases, Call.Progress progress)
      throws InterruptedException {
    AccountAddresses addresses = context.port(AccountAddresses.class);
    long found = 0;
    long looked = 0;
    List<Jid> page = addresses.list(context.domain().domain(), null, ACCOUNTS);
    while (!page.isEmpty()) {
      for (Jid owner : page) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        found += owner.equals(account) ? 0 : eraseAt(owner, account, before, erases);
        progress.at(++looked, 0, "accounts");
      }
      page =
          page.size() < ACCOUNTS
              ? List.of()
              : addresses.list(context.domain().domain(), page.getLast(), ACCOUNTS);
    }
    return found;
  }

  private long eraseAt(Jid owner, Jid author, long before, boolean erases) {
    MessageArchive archive = context.port(MessageArchive.class);
    long found = 0;
    long from = Long.MIN_VALUE;
    MessageArchive.Page page;
    do {
      page =
          archive.page(
              owner, new MessageArchive.Filter(author, from, before - 1, null, null), PORTION);
      for (MessageLog.Entry each : page.entries()) {
        from = each.id() + 1;
        Jid sender = each.message().from();
        if (sender != null && sender.bare().equals(author) && !isErased(each.message())) {
          found++;
          if (erases) {
            boolean _ = archive.replace(owner, each.id(), tombstone(each.message()));
          }
        }
      }
    } while (!page.complete() && !page.entries().isEmpty());
    return found;
  }

  private static boolean isErased(Message message) {
    return message.payloads().stream()
        .allMatch(each -> each.name().namespace().equals("urn:xmpp:message-retract:1"));
  }

  /// What stays of a message (XEP-0424, section 5).
  private Message tombstone(Message old) {
    Element retracted =
        Element.builder("urn:xmpp:message-retract:1", "retracted")
            .attribute("stamp", ArchivedMessages.stamp(context.clock().instant()))
            .build();
    return Message.of(old.type(), old.from(), old.to(), old.id(), List.of(retracted));
  }
}
