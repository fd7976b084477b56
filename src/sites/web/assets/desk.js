// On a phone the tabs move sideways: the one of the page is in sight.
const tab = document.querySelector('body > nav [aria-current]');
if (tab) tab.closest('ul').scrollLeft = tab.offsetLeft - 64;
