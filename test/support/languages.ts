/** The words of all languages from their files, whatever of them the Worker has loaded. */
import de from '../../locales/de.json' with { type: 'json' };
import en from '../../locales/en.json' with { type: 'json' };
import es from '../../locales/es.json' with { type: 'json' };
import fr from '../../locales/fr.json' with { type: 'json' };
import id from '../../locales/id.json' with { type: 'json' };
import it from '../../locales/it.json' with { type: 'json' };
import ja from '../../locales/ja.json' with { type: 'json' };
import ko from '../../locales/ko.json' with { type: 'json' };
import pt from '../../locales/pt.json' with { type: 'json' };
import staffDe from '../../locales/staff/de.json' with { type: 'json' };
import zhHans from '../../locales/zh-Hans.json' with { type: 'json' };
import { staffMessages } from '../../src/core/words/staff.ts';
import {
  guestMessages,
  type Language,
  messagesIn,
  type Words,
} from '../../src/core/words/words.ts';

const files = { de, fr, es, it, pt, 'zh-Hans': zhHans, ja, ko, id };

const messages = messagesIn('', en);
for (const [language, file] of Object.entries(files)) messages.learn(language as Language, file);

/** What guests read in a language. */
export function wordsIn(language: Language): Words {
  return messages.of(language);
}

/** Has the code itself know all languages, for tests of what is called without the Worker. */
export function learnAll(): void {
  for (const [language, file] of Object.entries(files)) {
    guestMessages.learn(language as Language, file);
  }
  staffMessages.learn('de', staffDe);
}
