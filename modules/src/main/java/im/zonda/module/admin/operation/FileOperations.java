package im.zonda.module.admin.operation;

import im.zonda.account.AccountRegistration;
import im.zonda.jid.Jid;
import im.zonda.module.ModuleContext;
import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import im.zonda.store.AccountAddresses;
import im.zonda.store.UploadStore;
import im.zonda.store.UploadStore.Upload;
import im.zonda.store.UploadStore.Usage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Operations on the files that accounts have uploaded (XEP-0363). The space of a removed file is
/// free when the contents that no one needs are removed.
public final class FileOperations {
  private static final int AT_A_TIME = 500;

  /// The most accounts that are looked through for one page.
  private static final int MOST_READ = 1_000;

  /// A file.
  public record File(
      @Field("the identifier") String file,
      @Field("the name") String name,
      @Field("the media type") String type,
      @Field(value = "the size", form = Form.BYTES) long bytes,
      @Field("when it was uploaded") Instant uploaded) {}

  /// Files that are looked for.
  public record Wanted(
      @Field("the address of the account") Jid account,
      @Field("only those that were uploaded then or later") @Nullable Instant after,
      @Field(value = "the most files", fallback = "50", min = 1, max = 500) int limit) {}

  /// Files of an account.
  public record Found(
      @Field("the files, the oldest first") List<File> files,
      @Field("with which time to go on; nothing if these are all") @Nullable Instant next) {}

  /// The space that an account uses.
  public record Used(
      @Field("how many files") long files,
      @Field(value = "how large these are together", form = Form.BYTES) long bytes) {}

  /// Accounts that are looked for.
  public record Host(
      @Field(value = "the host", form = Form.DOMAIN) String host,
      @Field("the account after which to start") @Nullable Jid after,
      @Field(value = "the most accounts", fallback = "50", min = 1, max = 500) int limit) {}

  /// The space that one of several accounts uses.
  public record Share(
      @Field("the address of the account") Jid account,
      @Field("how many files") long files,
      @Field(value = "how large these are together", form = Form.BYTES) long bytes) {}

  /// Accounts that have files. There may be less of them than asked for although there are more.
  public record Shares(
      @Field("the accounts, in the order of their addresses") List<Share> accounts,
      @Field(Field.NEXT) @Nullable Jid next) {}

  /// Files to remove.
  public record Removal(
      @Field("the address of the account") Jid account,
      @Field("the identifiers of files") List<String> files,
      @Field("whether all files of the account are removed") boolean all) {}

  /// What was removed.
  public record Removed(@Field("how many files") long files) {}

  /// `file.list`.
  public static final Operation<Wanted, Found> LIST =
      Operation.read("file.list", Right.FILES)
          .at(
              "GET /accounts/{account}/files",
              "List the files that an account has uploaded",
              Wanted.class,
              Found.class);

  /// `file.usage`.
  public static final Operation<AccountOperations.Chosen, Used> USAGE =
      Operation.read("file.usage", Right.FILES)
          .at(
              "GET /accounts/{account}/file-usage",
              "Say how much an account has uploaded",
              AccountOperations.Chosen.class,
              Used.class);

  /// `file.accounts`.
  public static final Operation<Host, Shares> ACCOUNTS =
      Operation.read("file.accounts", Right.FILES)
          .at(
              "GET /hosts/{host}/file-usage",
              "List the accounts that have files",
              Host.class,
              Shares.class);

  /// `file.remove`.
  public static final Operation<Removal, Removed> REMOVE =
      Operation.destroy("file.remove", Right.FILES)
          .at(
              "POST /accounts/{account}/files/remove",
              "Remove files of an account",
              Removal.class,
              Removed.class);

  /// All of them.
  public static final List<Operation<?, ?>> ALL = List.of(LIST, USAGE, ACCOUNTS, REMOVE);

  private final AccountRegistration accounts;
  private final AccountAddresses addresses;
  private final UploadStore uploads;

  /// @param context has the files of the host
  public FileOperations(ModuleContext context) {
    accounts = context.port(AccountRegistration.class);
    addresses = context.port(AccountAddresses.class);
    uploads = context.port(UploadStore.class);
  }

  /// The operations of the host.
  public List<Offer<?, ?>> offers() {
    return List.of(
        LIST.by((_, wanted) -> list(wanted)),
        USAGE.by((_, chosen) -> usage(chosen.account().bare())),
        ACCOUNTS.by((_, wanted) -> Outcome.done(shares(wanted))),
        REMOVE.by(this::remove));
  }

  private Outcome<Found> list(Wanted wanted) {
    Jid account = wanted.account().bare();
    if (accounts.created(account) == null) {
      return AccountOperations.unknown(account);
    }
    Instant after = wanted.after() == null ? Instant.EPOCH : wanted.after();
    List<Upload> found = uploads.list(account, after, wanted.limit() + 1);
    boolean more = found.size() > wanted.limit();
    List<Upload> page = more ? found.subList(0, wanted.limit()) : found;
    Instant next = more ? found.getLast().created() : null;
    if (next != null && next.equals(page.getFirst().created())) {
      // As many as a page were uploaded at once: the next page would be the same.
      next = next.plus(1, ChronoUnit.MICROS);
    }
    return Outcome.done(new Found(page.stream().map(FileOperations::file).toList(), next));
  }

  private static File file(Upload upload) {
    return new File(upload.slot(), upload.name(), upload.type(), upload.size(), upload.created());
  }

  private Outcome<Used> usage(Jid account) {
    if (accounts.created(account) == null) {
      return AccountOperations.unknown(account);
    }
    Usage usage = uploads.usage(account, Instant.EPOCH);
    return Outcome.done(new Used(usage.files(), usage.bytes()));
  }

  private Shares shares(Host wanted) {
    List<Share> found = new ArrayList<>();
    List<Jid> read = addresses.list(wanted.host(), wanted.after(), MOST_READ);
    Map<Jid, Usage> usages = uploads.usages(wanted.host(), read);
    for (Jid account : read) {
      Usage usage = usages.get(account);
      if (usage != null) {
        found.add(new Share(account, usage.files(), usage.bytes()));
      }
      if (found.size() == wanted.limit()) {
        return new Shares(found, account);
      }
    }
    return new Shares(found, read.size() < MOST_READ ? null : read.getLast());
  }

  private Outcome<Removed> remove(Call call, Removal removal) {
    Jid account = removal.account().bare();
    if (removal.files().isEmpty() && !removal.all()) {
      return Outcome.invalid("files", "Name the files to remove, or all of them.");
    }
    if (accounts.created(account) == null) {
      return AccountOperations.unknown(account);
    }
    if (!removal.all()) {
      for (String slot : removal.files()) {
        Upload file = uploads.find(slot);
        if (file == null || !file.owner().equals(account)) {
          return Outcome.notFound(account + " has no file " + slot + ".");
        }
      }
    }
    int removed = removal.all() ? removeAll(account) : uploads.remove(removal.files());
    call.changed("files", Integer.toString(removed), "0");
    return Outcome.done(new Removed(removed));
  }

  private int removeAll(Jid account) {
    int removed = 0;
    List<String> page = slots(account);
    while (!page.isEmpty()) {
      removed += uploads.remove(page);
      page = slots(account);
    }
    return removed;
  }

  private List<String> slots(Jid account) {
    List<String> slots = new ArrayList<>();
    uploads.list(account, Instant.EPOCH, AT_A_TIME).forEach(each -> slots.add(each.slot()));
    return slots;
  }
}
