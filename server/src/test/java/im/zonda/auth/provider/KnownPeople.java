package im.zonda.auth.provider;

import im.zonda.account.provider.AccountProvider;
import im.zonda.account.provider.PasswordQuestion;
import im.zonda.account.provider.ProvidedAccount;
import im.zonda.account.provider.ProvidedGroup;
import im.zonda.account.provider.ProviderException;
import im.zonda.account.provider.TestStep;
import im.zonda.account.provider.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A provider that knows a few people by heart.
final class KnownPeople implements AccountProvider {
  final Map<String, Person> people = new ConcurrentHashMap<>();
  final AtomicInteger asked = new AtomicInteger();
  final Set<Ability> abilities = EnumSet.of(Ability.PASSWORD, Ability.FIND, Ability.SET_PASSWORD);

  /// Why no question is answered; null if they are.
  volatile @Nullable String trouble;

  /// Holds answers until it is open; null for at once.
  volatile @Nullable CountDownLatch gate;

  volatile boolean closed;
  volatile List<ProvidedGroup> groups = List.of();

  record Person(String password, @Nullable String id, boolean disabled) {}

  void add(String local, String password, @Nullable String id) {
    people.put(local, new Person(password, id, false));
  }

  @Override
  public Set<Ability> abilities() {
    return abilities;
  }

  private @Nullable Person look(String local) throws ProviderException, InterruptedException {
    asked.incrementAndGet();
    CountDownLatch held = gate;
    if (held != null) {
      held.await();
    }
    String reason = trouble;
    if (reason != null) {
      throw new ProviderException(reason);
    }
    return people.get(local);
  }

  private static Verdict found(String local, Person person) {
    return new Verdict.Accepted(
        new ProvidedAccount(local, person.id(), person.disabled(), null, null));
  }

  @Override
  public Verdict checkPassword(PasswordQuestion question)
      throws ProviderException, InterruptedException {
    Person person = look(question.local());
    if (person == null) {
      return Verdict.UNKNOWN;
    }
    return person.password().equals(question.password())
        ? found(question.local(), person)
        : new Verdict.Wrong("password");
  }

  @Override
  public Verdict find(String domain, String local) throws ProviderException, InterruptedException {
    Person person = look(local);
    return person == null ? Verdict.UNKNOWN : found(local, person);
  }

  @Override
  public boolean setPassword(String domain, String local, String password)
      throws ProviderException, InterruptedException {
    Person person = look(local);
    if (person == null) {
      return false;
    }
    people.put(local, new Person(password, person.id(), person.disabled()));
    return true;
  }

  @Override
  public List<ProvidedGroup> groups(String domain) throws ProviderException, InterruptedException {
    Person _ = look("");
    return groups;
  }

  @Override
  public List<TestStep> test(PasswordQuestion question) {
    return List.of();
  }

  @Override
  public void close() {
    closed = true;
  }
}
