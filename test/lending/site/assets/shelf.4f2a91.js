addEventListener('DOMContentLoaded', () => document.getElementById('place').append(location.pathname));
