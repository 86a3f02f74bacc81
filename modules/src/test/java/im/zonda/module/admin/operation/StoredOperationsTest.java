package im.zonda.module.admin.operation;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.module.ClientAccess.Client;
import im.zonda.module.admin.AdminModule;
import im.zonda.module.disco.DiscoModule;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import im.zonda.module.testing.operation.TestOperations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import im.zonda.store.MessageLog;
import im.zonda.store.UploadStore.Upload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is stored of an account: its clients, its archive and its files.
class StoredOperationsTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Jid JULIET = Jid.of("juliet@example.org");
  private static final Jid NOBODY = Jid.of("nobody@example.org");
  private static final Instant TIME = Instant.parse("2026-11-28T12:00:00Z");

  private final TestContext context = new TestContext();
  private final TestOperations operations = context.operations();

  StoredOperationsTest() {
    DiscoModule disco = new DiscoModule();
    context.install(disco, new AdminModule(disco)).answerRequests();
    context.account(ROMEO.toString());
    context.account(JULIET.toString());
  }

  private static AccountOperations.Chosen chosen(Jid account) {
    return new AccountOperations.Chosen(account);
  }

  // ---- clients

  @Test
  void aClientIsForgottenWithItsToken() {
    Client phone = new Client("p", "Conversations", "Pixel", TIME, TIME, true, true);
    context.stores().clients().add(ROMEO, phone);
    assertThat(operations.done(DeviceOperations.LIST, chosen(ROMEO)).devices())
        .containsExactly(
            new DeviceOperations.Device("p", "Conversations", "Pixel", TIME, TIME, true, true));
    DeviceOperations.Chosen wanted = new DeviceOperations.Chosen(ROMEO, "p");
    operations.done(DeviceOperations.REMOVE, wanted);
    assertThat(context.stores().clients().list(ROMEO)).isEmpty();
    assertThat(operations.refused(DeviceOperations.REMOVE, wanted)).isEqualTo(Reason.NOT_FOUND);
    assertThat(operations.refused(DeviceOperations.LIST, chosen(NOBODY)))
        .isEqualTo(Reason.NOT_FOUND);
  }

  // ---- archive

  private Instant archived(Jid owner) {
    MessageLog log = context.stores().messages();
    long id = log.nextId();
    MessageLog.Entry entry =
        new MessageLog.Entry(
            owner, id, JULIET, TestXml.message("<message><body>Hi</body></message>"));
    log.append(entry, MessageLog.Keep.ARCHIVE, false);
    return entry.time();
  }

  @Test
  void anArchiveLosesWhatIsOlder() {
    assertThat(operations.done(ArchiveOperations.SHOW, chosen(ROMEO)))
        .isEqualTo(new ArchiveOperations.Shown(null, null, 0));
    List<Instant> times = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      times.add(archived(ROMEO));
      archived(JULIET);
    }
    assertThat(operations.done(ArchiveOperations.SHOW, chosen(ROMEO)))
        .isEqualTo(new ArchiveOperations.Shown(times.getFirst(), times.getLast(), 0));
    assertThat(
            operations.run(
                TestOperations.OWNER,
                ArchiveOperations.DELETE,
                new ArchiveOperations.Part(ROMEO, times.get(3))))
        .isInstanceOf(Outcome.Started.class);
    assertThat(operations.jobs()).containsExactly("3 messages were removed.");
    assertThat(context.stores().messages().entries(ROMEO))
        .extracting(MessageLog.Entry::time)
        .isEqualTo(times.subList(3, 5));
    assertThat(context.stores().messages().entries(JULIET)).hasSize(5);
  }

  // ---- files

  private void uploaded(String slot, Jid owner, Instant time) {
    context
        .stores()
        .uploads()
        .add(new Upload(slot, owner, slot + ".png", "image/png", 1_000, "h" + slot, time, null));
  }

  private List<String> files(int limit) {
    List<String> files = new ArrayList<>();
    @Nullable Instant after = null;
    do {
      FileOperations.Found page =
          operations.done(FileOperations.LIST, new FileOperations.Wanted(ROMEO, after, limit));
      page.files().forEach(each -> files.add(each.file()));
      after = page.next();
    } while (after != null);
    return files;
  }

  @Test
  void filesAreListedInPagesAndRemoved() {
    for (int i = 1; i <= 5; i++) {
      uploaded("f" + i, ROMEO, TIME.plusSeconds(i));
    }
    uploaded("other", JULIET, TIME);
    assertThat(files(2)).containsExactly("f1", "f2", "f3", "f4", "f5");
    assertThat(files(5)).hasSize(5);
    assertThat(operations.done(FileOperations.USAGE, chosen(ROMEO)))
        .isEqualTo(new FileOperations.Used(5, 5_000));
    assertThat(
            operations.refused(
                FileOperations.REMOVE,
                new FileOperations.Removal(ROMEO, List.of("f1", "other"), false)))
        .as("of somebody else")
        .isEqualTo(Reason.NOT_FOUND);
    assertThat(files(5)).hasSize(5);
    assertThat(
            operations.done(
                FileOperations.REMOVE,
                new FileOperations.Removal(ROMEO, List.of("f1", "f2"), false)))
        .isEqualTo(new FileOperations.Removed(2));
    assertThat(
            operations.done(
                FileOperations.REMOVE, new FileOperations.Removal(ROMEO, List.of(), true)))
        .isEqualTo(new FileOperations.Removed(3));
    assertThat(operations.done(FileOperations.USAGE, chosen(JULIET)).files()).isEqualTo(1);
  }

  @Test
  void filesOfTheSameInstantDoNotEndTheList() {
    uploaded("a", ROMEO, TIME);
    uploaded("b", ROMEO, TIME);
    uploaded("c", ROMEO, TIME.plusSeconds(1));
    assertThat(files(1)).startsWith("a").endsWith("c");
    assertThat(files(2)).containsExactly("a", "b", "c");
  }

  @Test
  void accountsWithFilesAreListedInPages() {
    for (int i = 0; i < 5; i++) {
      Jid account = Jid.of("u" + i + "@example.org");
      context.account(account.toString());
      if (i != 2) {
        uploaded("s" + i, account, TIME);
      }
    }
    List<String> found = new ArrayList<>();
    Jid next = null;
    do {
      FileOperations.Shares page =
          operations.done(FileOperations.ACCOUNTS, new FileOperations.Host("example.org", next, 2));
      page.accounts().forEach(each -> found.add(each.account().local() + " " + each.files()));
      next = page.next();
    } while (next != null);
    assertThat(found).containsExactly("u0 1", "u1 1", "u3 1", "u4 1");
  }
}
