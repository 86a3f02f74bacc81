/// Accounts from elsewhere: who keeps them, by the settings, and what administrators see of it.
@NullMarked
package im.zonda.app.accounts;

import org.jspecify.annotations.NullMarked;
