package im.zonda.module.admin.operation;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.store.MessageArchive;
import im.zonda.store.MessageArchive.Filter;
import im.zonda.store.MessageArchive.Page;
import im.zonda.store.MessageArchive.Portion;
import im.zonda.store.MessageLog;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations on the archives of accounts (XEP-0313), without what is in the messages.
public final class ArchiveOperations {
  private static final int AT_A_TIME = 1_000;

  /// What is known of an archive.
  public record Shown(
      @Field("the time of the oldest message; nothing if there is none") @Nullable Instant oldest,
      @Field("the time of the newest message") @Nullable Instant newest,
      @Field("how many messages wait for the user") long waiting) {}

  /// A part of an archive.
  public record Part(
      @Field("the address of the account") Jid account,
      @Field("the time before which messages are removed") Instant before) {}

  /// What was removed.
  public record Removed(@Field("how many messages") long messages) {}

  /// `archive.show`.
  public static final Operation<AccountOperations.Chosen, Shown> SHOW =
      Operation.read("archive.show", Right.ACCOUNTS)
          .at(
              "GET /accounts/{account}/archive",
              "Say how far the archive of an account goes back",
              AccountOperations.Chosen.class,
              Shown.class);

  /// `archive.delete`.
  public static final Operation<Part, Removed> DELETE =
      Operation.destroy("archive.delete", Right.ACCOUNTS)
          .at(
              "POST /accounts/{account}/archive/delete",
              "Remove what is older in the archive of an account",
              Part.class,
              Removed.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(SHOW, DELETE);

  private final AccountRegistration accounts;
  private final MessageArchive archive;
  private final MessageLog log;

  /// @param context has the messages of the host
  public ArchiveOperations(ModuleContext context) {
    accounts = context.port(AccountRegistration.class);
    archive = context.port(MessageArchive.class);
    log = context.port(MessageLog.class);
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(SHOW.by((_, chosen) -> show(chosen.account().bare())), DELETE.by(this::delete));
  }

  private Outcome<Shown> show(Jid account) {
    if (accounts.created(account) == null) {
      return AccountOperations.unknown(account);
    }
    return Outcome.done(
        new Shown(end(account, false), end(account, true), log.waitingCount(account)));
  }

  private @Nullable Instant end(Jid account, boolean newest) {
    Page page = archive.page(account, Filter.ALL, new Portion(newest, 1, 1));
    return page.entries().isEmpty() ? null : page.entries().getFirst().time();
  }

  private Outcome<Removed> delete(Call call, Part part) {
    Jid account = part.account().bare();
    if (accounts.created(account) == null) {
      return AccountOperations.unknown(account);
    }
    // The id of an entry is its time.
    long before = ChronoUnit.MICROS.between(Instant.EPOCH, part.before());
    return call.start(
        "Remove messages of " + account + " from before " + part.before(),
        progress -> {
          long removed = 0;
          int some;
          do {
            some = archive.purge(account, before, Integer.MAX_VALUE, AT_A_TIME);
            removed += some;
            progress.at(removed, 0, "messages");
          } while (some == AT_A_TIME && !Thread.currentThread().isInterrupted());
          return removed + " messages were removed.";
        });
  }
}
